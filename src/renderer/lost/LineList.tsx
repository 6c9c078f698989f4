import { RotateCcw } from 'lucide-react'
import { visibleText } from '../../shared/model/basics/visible'
import type { LibraryKey } from '../../shared/model/conversation/conversation'
import type { LostLines } from '../../shared/model/lost'
import { useLost, useStores } from '../state/context'
import { loadedLines, lostLineLimits } from '../state/context-state'
import { useDelayedFlag } from '../ui/behaviour/hooks'
import { Button } from '../ui/controls/Button'
import { formatCount, formatQuantity } from '../ui/format/format'
import { Note } from '../ui/notes/Note'
import { LostLine } from './LostLine'

/** List of the damaged lines of one conversation. */
export function LineList(props: { readonly of: LibraryKey; readonly title: string }) {
  const { of, title } = props
  const { lost } = useStores()
  const lines = useLost((state) => state.lines[of])
  const isLoading = lines?.type === 'loading'
  const isSlow = useDelayedFlag(isLoading, 120)
  const shown = loadedLines(lines)

  if (lines?.type === 'failed')
    return (
      <div className="lost-lines">
        <Note
          tone="error"
          title="The lines could not be read."
          detail={lines.failure.detail}
          actions={
            <Button isSmall icon={RotateCcw} onClick={() => void lost.getState().showLines(of)}>
              Try again
            </Button>
          }
        >
          {visibleText(lines.failure.message)}
        </Note>
      </div>
    )
  if (shown === undefined)
    return (
      <div className="lost-lines">
        {isSlow && (
          <p className="t3 small" role="status">
            Reading the conversation…
          </p>
        )}
      </div>
    )
  return (
    <div className="lost-lines">
      {shown.total === 0 ? (
        <p className="t2 small" role="status">
          No damaged lines any more.
        </p>
      ) : (
        <ul className="lost-line-list" aria-label={`Damaged lines of ${title}`}>
          {shown.lines.map((line) => (
            <LostLine
              key={`${line.file}:${line.offset}`}
              of={of}
              line={line}
              startsOpen={shown.total === 1}
            />
          ))}
        </ul>
      )}
      <More of={of} shown={shown} isLoading={isLoading} />
    </div>
  )
}

/** Number of loaded lines, and a button for the others. */
function More(props: {
  readonly of: LibraryKey
  readonly shown: LostLines
  readonly isLoading: boolean
}) {
  const { of, shown, isLoading } = props
  const { lost } = useStores()
  const here = shown.lines.length
  const next = Math.min(shown.total, lostLineLimits.most)
  if (here >= shown.total) return null
  return (
    <div className="lost-more">
      {here < next && (
        <Button
          isSmall
          isBusy={isLoading}
          onClick={() => void lost.getState().showLines(of, lostLineLimits.most)}
        >
          {next === shown.total
            ? `Show all ${formatCount(next)} lines`
            : `Show the first ${formatCount(next)} lines`}
        </Button>
      )}
      <span className="t3 small number">
        {formatCount(here)} of {formatQuantity(shown.total, 'line')} shown
      </span>
    </div>
  )
}
