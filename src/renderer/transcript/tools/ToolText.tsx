import type { ReactNode } from 'react'
import type { Entry } from '../../../shared/model/conversation/entry'
import { CopyButton } from '../../ui/text/CodeBlock'
import { LongText } from '../../ui/text/LongText'
import { EntryFlags } from '../parts/turn-labels'

/** Text of a tool as it came, below its title and a button that copies it. */
export function ToolText(props: {
  readonly title: string
  readonly text: string
  readonly entry?: Entry
  /** Buttons before the one that copies. */
  readonly acts?: ReactNode
  /** What is shown in place of the text. */
  readonly children?: ReactNode
}) {
  const { title, text, entry, acts, children } = props
  return (
    <div className="tool-part">
      <div className="code-head">
        <span>{title}</span>
        {entry !== undefined && <EntryFlags entry={entry} />}
        <span className="grow" />
        {acts}
        <CopyButton label={`Copy ${title.toLowerCase()}`} text={text} />
      </div>
      {text === '' ? (
        <p className="tool-none t3 small">Empty</p>
      ) : (
        (children ?? <LongText text={text} firstLines={24} label={title} />)
      )}
    </div>
  )
}
