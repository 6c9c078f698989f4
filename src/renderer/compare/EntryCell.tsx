import { ImageOff, Lightbulb, Paperclip } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { visibleText } from '../../shared/model/basics/visible'
import { fileEdits } from '../../shared/model/calls/file-edits'
import { readableText, thoughtsOf } from '../../shared/model/comparison/compared-rows'
import type { ComparedRow } from '../../shared/model/comparison/comparison-view'
import type { LibraryKey } from '../../shared/model/conversation/conversation'
import { type Entry, shownText, speakerOf } from '../../shared/model/conversation/entry'
import { keptImages } from '../../shared/model/conversation/images'
import { ChangedText } from '../ui/changes/ChangedText'
import { EditedFiles } from '../ui/changes/EditedFiles'
import { Icon } from '../ui/controls/Icon'
import { formatQuantity } from '../ui/format/format'
import { EntryImages } from '../ui/text/EntryImages'
import { LongText } from '../ui/text/LongText'
import { Markdown } from '../ui/text/Markdown'
import { EntryHead } from './EntryHead'

type Changed = Extract<ComparedRow, { readonly kind: 'changed' }>

/** Lines of arguments or of an output before they are cut. */
const firstLines = 12

/** Properties of `EntryCell`. */
export interface EntryCellProps {
  readonly contextKey: LibraryKey
  readonly entry: Entry
  /** How it differs, in a word or two; absent for an equal one. */
  readonly mark?: ReactNode
  /** The change whose words are marked. */
  readonly change?: Changed | undefined
  /** The side whose words are shown; both without it. */
  readonly only?: 'removed' | 'added' | undefined
}

/** Entry in a comparison: who says it and when, its thoughts, its text with marked words, and what comes with it. */
export function EntryCell(props: EntryCellProps) {
  const { contextKey, entry, change, only } = props
  const images = keptImages(entry.metadata)
  return (
    <div className="compare-entry">
      <EntryHead entry={entry} mark={props.mark} />
      <Thoughts entry={entry} change={change} only={only} />
      <EntryText entry={entry} change={change} only={only} />
      {change?.cut !== undefined && (
        <p className="t3 small">
          {formatQuantity(change.cut, 'more character')} of both are not compared here.
        </p>
      )}
      {images.length > 0 &&
        (contextKey.includes(':') ? (
          <p className="compare-with t2 small">
            <Icon of={ImageOff} size={12} /> {formatQuantity(images.length, 'image')}
          </p>
        ) : (
          <EntryImages contextKey={contextKey} images={images} />
        ))}
      <Attachments entry={entry} />
    </div>
  )
}

type ChangedPart = Pick<EntryCellProps, 'entry' | 'change' | 'only'>

function Thoughts(props: ChangedPart) {
  const { entry, change, only } = props
  const text = thoughtsOf(entry)
  if (text === '' && (change?.thoughts === undefined || only !== undefined)) return null
  return (
    <details className="compare-thoughts">
      <summary>
        <Icon of={Lightbulb} size={12} />
        <b>Reasoning</b>
        {change?.thoughts !== undefined && <span className="t3">differs</span>}
        <span className="cut t3">{visibleText(text.trimStart().slice(0, 160))}</span>
      </summary>
      {change?.thoughts === undefined ? (
        <Markdown text={text} />
      ) : (
        <ChangedText change={change.thoughts} label="Reasoning" joins only={only} />
      )}
    </details>
  )
}

function EntryText(props: ChangedPart) {
  const { entry, change, only } = props
  const isCall = entry.entry_type === 'tool_call'
  const isResult = entry.entry_type === 'tool_result'
  const edits = useMemo(() => fileEdits(entry), [entry])
  if (edits.length > 0 && (change === undefined || only !== undefined))
    return <EditedFiles edits={edits} />
  if (change !== undefined)
    return (
      <ChangedText
        change={change.text}
        isCode={isCall || isResult}
        label="Text"
        joins
        only={only}
      />
    )
  const text = isCall ? readableText(entry) : shownText(entry)
  if (text === '') return <p className="t3 small">Empty</p>
  if (speakerOf(entry) === 'agent') return <Markdown text={text} />
  if (speakerOf(entry) === 'user') return <Markdown text={text} variant="light" />
  return (
    <LongText
      text={text}
      firstLines={firstLines}
      label={isCall ? 'Arguments' : isResult ? 'Result' : 'Text'}
    />
  )
}

function Attachments(props: { readonly entry: Entry }) {
  const { attachments } = props.entry.metadata ?? {}
  if (!Array.isArray(attachments) || attachments.length === 0) return null
  return (
    <p className="compare-with t2 small">
      <Icon of={Paperclip} size={12} /> {formatQuantity(attachments.length, 'attachment')}
    </p>
  )
}
