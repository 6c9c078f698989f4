import { ArrowRightLeft, FoldVertical, GitBranch, Settings2, Sprout } from 'lucide-react'
import { memo } from 'react'
import { entryTimeMs } from '../../../shared/model/basics/time'
import { branchSummaryOf } from '../../../shared/model/conversation/branch-summary'
import { parseLibraryKey } from '../../../shared/model/conversation/conversation'
import { type Entry, isAnchor } from '../../../shared/model/conversation/entry'
import { sourceLabel } from '../../../shared/model/conversation/sources'
import { useReading } from '../../state/context'
import { Button } from '../../ui/controls/Button'
import { Icon } from '../../ui/controls/Icon'
import { clockTime, formatQuantity } from '../../ui/format/format'
import { Markdown } from '../../ui/text/Markdown'
import { compactionFactsOf, compactionSummaryOf } from '../entries/metadata'
import { copyTextOf, type ItemOf, sourceLinesOf } from '../items/items'
import { SeamCopies } from '../parts/SeamCopies'
import { TurnFrame } from './TurnFrame'

/** Row of a border in the transcript: an anchor, or a change of the system prompt or of control. */
export const SeamRow = memo(function SeamRow(props: { readonly item: ItemOf<'seam'> }) {
  const { item } = props
  const isOpen = useReading(({ folds }) => folds[item.key] === true)
  const setFold = useReading((state) => state.setFold)
  const { words, body, button, icon } = seamOf(item.entries)
  return (
    <TurnFrame
      itemKey={item.key}
      label={words}
      knot="tool"
      places={sourceLinesOf(item)}
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
    </TurnFrame>
  )
})

/** Describes a compaction, with numbers for one of Skein's own. */
function compactedWords(entries: readonly Entry[]): string {
  const [facts] = entries.flatMap((entry) => compactionFactsOf(entry) ?? [])
  if (facts === undefined) return 'the model continues from a summary'
  const gone = `${formatQuantity(facts.archived, 'earlier message')} no longer sent`
  return facts.mode === 'drop' ? gone : `${gone}, the model continues from a summary`
}

/** Names a branch that was left: a context by its name, another system's conversation by its system. */
function namedBranch(libraryKey: string): string {
  const { source, key } = parseLibraryKey(libraryKey)
  return source === 'chibi' ? `“${key}”` : `a conversation of ${sourceLabel(source)}`
}

function seamOf(entries: readonly Entry[]) {
  const last =
    entries.findLast((entry) => compactionSummaryOf(entry) !== undefined) ?? entries.at(-1)
  const atMs = entryTimeMs(last?.timestamp)
  const at = atMs === undefined ? '' : ` at ${clockTime(atMs)}`
  const left = last && branchSummaryOf(last)
  if (left !== undefined)
    return {
      words: `Another branch was left${at}: ${formatQuantity(left.messages, 'message')} of ${namedBranch(left.key)} summarized`,
      body: left.summary,
      button: 'Summary',
      icon: GitBranch,
    }
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
      words: `Summarized${at}: ${compactedWords(entries)}`,
      body: last === undefined ? undefined : compactionSummaryOf(last),
      button: 'Summary',
      icon: FoldVertical,
    }
  return types.has('archival')
    ? {
        words: `Fresh start${at}: the model sees only what follows`,
        body: undefined,
        button: '',
        icon: FoldVertical,
      }
    : { words: `Conversation created${at}`, body: undefined, button: '', icon: Sprout }
}
