import {
  ArrowRightLeft,
  FoldVertical,
  RotateCcw,
  Settings2,
  Sprout,
  TriangleAlert,
} from 'lucide-react'
import { memo, useMemo } from 'react'
import { type Entry, isAnchor } from '../../shared/model/entry'
import { assertNever } from '../../shared/model/errors'
import type { FailureKind } from '../../shared/model/run'
import { momentOf } from '../../shared/model/time'
import { useReading } from '../state/context'
import { Button } from '../ui/Button'
import { bytesOf, hexDump } from '../ui/bytes'
import { byteSize, clockTime, count, counted } from '../ui/format'
import { Icon } from '../ui/Icon'
import { LongText } from '../ui/LongText'
import { Markdown } from '../ui/Markdown'
import { copyTextOf, type Item, linesOf, placesOf } from './items'
import { compactionOf, failureOf, summaryOf } from './metadata'
import { SeamCopies } from './SeamCopies'
import { Turn } from './Turn'
import { spoken } from './turn-words'
import { responseFold } from './unfold'

/** A border in the transcript: an anchor, where a model's window begins, or a change of its prompt. */
export const SeamRow = memo(function SeamRow(props: {
  readonly item: Extract<Item, { type: 'seam' }>
}) {
  const { item } = props
  const isOpen = useReading(({ folds }) => folds[item.key] === true)
  const setFold = useReading((state) => state.setFold)
  const { words, body, button, icon } = seamOf(item.entries)
  return (
    <Turn
      itemKey={item.key}
      label={words}
      knot="tool"
      places={placesOf(item)}
      copyText={() => copyTextOf(item)}
      hasActions={false}
      className="seam-turn"
    >
      <div className="seam">
        <Icon of={icon} />
        <span className="cut">{words}</span>
        {body !== undefined && (
          <Button
            kind="ghost"
            isSmall
            isExpanded={isOpen}
            onClick={() => setFold(item.key, !isOpen)}
            className="seam-button"
          >
            {isOpen ? `Hide ${button.toLowerCase()}` : button}
          </Button>
        )}
      </div>
      {isOpen && body !== undefined && (
        <div className="block-well">
          <Markdown text={body} />
        </div>
      )}
      {item.copies !== undefined && <SeamCopies itemKey={item.key} copies={item.copies} />}
    </Turn>
  )
})

/** A line that is no entry: how much, where, why; its bytes on demand. */
export const DamagedRow = memo(function DamagedRow(props: {
  readonly item: Extract<Item, { type: 'damaged' }>
}) {
  const { damaged, key } = props.item
  const isOpen = useReading(({ folds }) => folds[key] === true)
  const setFold = useReading((state) => state.setFold)
  const where = damaged.line === undefined ? 'A line' : `Line ${count(damaged.line)}`
  const title = damaged.torn ? `${where} is not finished` : `${where} is damaged`
  const kept = damaged.torn ? 'It may still be growing.' : 'Kept as it is, nothing else affected.'
  const bytes = useMemo(() => (isOpen ? bytesOf(damaged.bytes) : undefined), [isOpen, damaged])
  return (
    <Turn
      itemKey={key}
      label={title}
      knot="bad"
      places={placesOf(props.item)}
      copyText={() => copyTextOf(props.item)}
      hasActions={false}
      className="damage-turn"
    >
      <div className="damage">
        <Icon of={TriangleAlert} />
        <span className="label">{title}</span>
        <span className="t2 cut">
          {counted(damaged.length, 'byte')} at offset {count(damaged.offset)} of {damaged.file}:{' '}
          {damaged.reason}. {kept}
        </span>
        <span className="grow" />
        <Button kind="ghost" isSmall isExpanded={isOpen} onClick={() => setFold(key, !isOpen)}>
          {isOpen ? 'Hide bytes' : 'Show bytes'}
        </Button>
      </div>
      {bytes !== undefined && (
        <div className="damage-bytes">
          <LongText text={new TextDecoder().decode(bytes)} firstLines={20} label="As text" />
          <LongText text={hexDump(bytes)} firstLines={12} wraps={false} label="As bytes" />
          {bytes.length < damaged.length && (
            <p className="t3 small">The first {byteSize(bytes.length)} of it.</p>
          )}
        </div>
      )}
    </Turn>
  )
})

/** An answer that broke off: what happened, what is kept, what to do. */
export const ErrorTurn = memo(function ErrorTurn(props: {
  readonly item: Extract<Item, { type: 'error' }>
  /** Present where asking again makes sense: on the last error, while nothing runs. */
  readonly onRetry: (() => void) | undefined
  readonly onSettings: () => void
}) {
  const { item, onRetry } = props
  const failure = useMemo(() => failureOf(item.entry), [item.entry])
  const name = responseFold(item.key)
  const isOpen = useReading(({ folds }) => folds[name] === true)
  const setFold = useReading((state) => state.setFold)
  const { message, advice, attempts, status, response } = failure
  const tried = attempts > 1 ? `Tried ${attempts} times.` : ''
  const answered = status === undefined ? '' : `The provider answered with status ${status}.`
  return (
    <Turn
      itemKey={item.key}
      label={spoken(`Error: ${message}`, item.entry.timestamp)}
      knot="bad"
      places={linesOf(item.entry)}
      copyText={() => copyTextOf(item)}
      hasActions={false}
      className="error-turn"
    >
      <div className="note error">
        <Icon of={TriangleAlert} />
        <div className="grow">
          <div className="label">{message}</div>
          <div className="t2 small">{[tried, answered, advice].filter(Boolean).join(' ')}</div>
          <div className="note-actions">
            {onRetry !== undefined && (
              <Button isSmall icon={RotateCcw} onClick={onRetry}>
                Try again
              </Button>
            )}
            {isOfSettings(failure.kind) && (
              <Button isSmall icon={Settings2} onClick={props.onSettings}>
                Settings
              </Button>
            )}
            {response !== undefined && response !== '' && (
              <Button
                kind="ghost"
                isSmall
                isExpanded={isOpen}
                onClick={() => setFold(name, !isOpen)}
              >
                {isOpen ? 'Hide the response' : 'Show the response'}
              </Button>
            )}
          </div>
          {isOpen && <LongText text={response ?? ''} firstLines={20} label="Response" />}
        </div>
      </div>
    </Turn>
  )
})

/** Whether a change of key, model or endpoint may help. */
function isOfSettings(kind: FailureKind): boolean {
  switch (kind) {
    case 'bad-key':
    case 'no-credit':
    case 'forbidden':
    case 'not-found':
    case 'bad-request':
    case 'unreachable':
    case 'not-an-api':
      return true
    case 'too-long':
    case 'rate-limited':
    case 'server':
    case 'stalled':
    case 'cut':
    case 'too-much':
    case 'storage':
    case 'out-of-fuel':
      return false
    default:
      return assertNever(kind)
  }
}

/** What became of the window; how much is told where the compaction was ours. */
function compactedWords(entries: readonly Entry[]): string {
  const [facts] = entries.flatMap((entry) => compactionOf(entry) ?? [])
  if (facts === undefined) return 'the model goes on from a summary'
  const gone = `${counted(facts.archived, 'message')} above left the window`
  return facts.mode === 'drop' ? gone : `${gone}, the model goes on from a summary`
}

function seamOf(entries: readonly Entry[]) {
  const last = entries.findLast((entry) => summaryOf(entry) !== undefined) ?? entries.at(-1)
  const atMs = momentOf(last?.timestamp)
  const at = atMs === undefined ? '' : ` at ${clockTime(atMs)}`
  if (last !== undefined && !isAnchor(last))
    return last.entry_type === 'control_transfer'
      ? {
          words: `Handed over from ${last.from} to ${last.to}${at}`,
          body: undefined,
          button: '',
          icon: ArrowRightLeft,
        }
      : {
          words: `The system prompt changed${at}`,
          body: last.content === '' ? undefined : last.content,
          button: 'Prompt',
          icon: Settings2,
        }
  const types = new Set(entries.map(({ entry_type }) => entry_type))
  if (types.has('compaction'))
    return {
      words: `Compacted${at}: ${compactedWords(entries)}`,
      body: last === undefined ? undefined : summaryOf(last),
      button: 'Summary',
      icon: FoldVertical,
    }
  return types.has('archival')
    ? {
        words: `Cleared${at}: the model sees what follows`,
        body: undefined,
        button: '',
        icon: FoldVertical,
      }
    : { words: `Conversation created${at}`, body: undefined, button: '', icon: Sprout }
}
