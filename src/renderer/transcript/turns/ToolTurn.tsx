import { Check, ChevronDown, ChevronRight, TriangleAlert, Wrench } from 'lucide-react'
import { memo, useMemo } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import type { Entry } from '../../../shared/model/conversation/entry'
import { isFailedResult, savedOutputOf } from '../../../shared/model/conversation/tool-results'
import { parsedArguments } from '../../../shared/model/find/tool-arguments'
import { useReading } from '../../state/context'
import { toolFold } from '../../state/transcript-state'
import { Icon } from '../../ui/controls/Icon'
import { countTextLines } from '../../ui/format/cut-text'
import { formatByteSize, formatCount, formatDuration, formatQuantity } from '../../ui/format/format'
import { metadataFactsOf } from '../entries/metadata'
import { consentLabels, runTracesOf } from '../entries/run-traces'
import { branchPointOf } from '../items/branch-points'
import { copyTextOf, entryLines, type ItemOf } from '../items/items'
import { AnswerNotes } from '../parts/AnswerNotes'
import { AttachmentList } from '../parts/AttachmentList'
import { MessageImages } from '../parts/MessageImages'
import { shownTimeMs, turnLabel } from '../parts/turn-labels'
import { CallView } from '../tools/CallView'
import { ToolResult } from '../tools/ToolResult'
import { SavedOutputNote, useOutputText } from './SavedOutputNote'
import { TurnFrame, TurnTime } from './TurnFrame'

/** Fold of a tool's call and its result. A failed one is open at first. */
export const ToolTurn = memo(function ToolTurn(props: { readonly item: ItemOf<'tool'> }) {
  const { item } = props
  const { call, result } = item
  const toolName = call?.to ?? result?.from ?? 'tool'
  const isFailed = result !== undefined && isFailedResult(result)
  const name = toolFold(item.key)
  const isOpen = useReading(({ folds, areToolsOpen }) => folds[name] ?? areToolsOpen ?? isFailed)
  const setFold = useReading((state) => state.setFold)
  const first = call ?? result
  const args = useMemo(() => argumentsOf(call?.content), [call?.content])
  return (
    <TurnFrame
      itemKey={item.key}
      label={turnLabel(`Tool ${toolName}`, first?.timestamp ?? null)}
      knot={item.isHead ? 'model' : 'tool'}
      places={entryLines(call, result)}
      copyText={() => copyTextOf(item)}
      point={branchPointOf(item)}
      hasActions={item.isHead}
      className="tool-turn"
      {...(item.isHead && first !== undefined
        ? {
            head: (
              <>
                <b className="cut">{metadataFactsOf(first).model ?? 'Assistant'}</b>
                <TurnTime atMs={shownTimeMs(first)} place={first} />
              </>
            ),
          }
        : {})}
    >
      <div className={`tool ${isOpen ? 'fold-box' : ''}`}>
        <button
          type="button"
          className="fold"
          aria-expanded={isOpen}
          onClick={() => setFold(name, !isOpen)}
        >
          <Icon of={isOpen ? ChevronDown : ChevronRight} size={12} className="fold-sign" />
          <Icon of={Wrench} />
          <b>{toolName}</b>
          <span className="mono cut">{args.summary}</span>
          <ToolState call={call} result={result} isFailed={isFailed} />
        </button>
        {isOpen && (
          <div className="tool-parts">
            {call !== undefined && <CallView call={call} pretty={args.pretty} />}
            {result !== undefined && (
              <section aria-label="Result" data-part="result">
                <KeptOutput result={result} />
                <Result result={result} call={call} />
                <SavedOutputNote result={result} />
                <MessageImages entry={result} />
                <AttachmentList entry={result} />
              </section>
            )}
          </div>
        )}
      </div>
      {call !== undefined && <AnswerNotes entry={call} />}
    </TurnFrame>
  )
})

function ToolState(props: {
  readonly call: Entry | undefined
  readonly result: Entry | undefined
  readonly isFailed: boolean
}) {
  const { call, result, isFailed } = props
  if (result === undefined) return <span className="fold-state">no result yet</span>
  const took =
    call?.timestamp == null || result.timestamp === null ? 0 : result.timestamp - call.timestamp
  const { consent, isBlocked, cached } = runTracesOf(result)
  const saved = savedOutputOf(result)
  const isSaved = cached !== undefined || saved !== undefined
  // Of an output that is not all there, nobody has counted the lines.
  const isPart = saved?.bytes !== undefined && saved.shown !== saved.bytes
  return (
    <span className="fold-state">
      {consent !== undefined && <span>{consentLabels[consent]}</span>}
      {isBlocked && <span>blocked by a plugin</span>}
      {isSaved && <span>saved to a file</span>}
      {call === undefined && <span>call not found</span>}
      <span>
        {isPart
          ? formatByteSize(saved.bytes ?? 0)
          : result.wholeLength === undefined
            ? formatQuantity(countTextLines(result.content), 'line')
            : formatQuantity(result.wholeLength, 'character')}
      </span>
      {isFailed ? (
        <Icon of={TriangleAlert} size={12} label="failed" className="err-t" />
      ) : (
        <Icon of={Check} size={12} label="done" className="ok-t" />
      )}
      {took > 0 && <span>{formatDuration(took * 1000)}</span>}
    </span>
  )
}

/** File of an output that was too long for the request. */
function KeptOutput(props: { readonly result: Entry }) {
  const { cached } = runTracesOf(props.result)
  if (cached === undefined) return null
  const { file, length } = cached
  return (
    <p className="tool-kept t2 small">
      The model got a preview. The full output
      {length === undefined ? '' : `, ${formatCount(length)} characters,`} is in{' '}
      <span className="mono">{file}</span> in the conversation’s folder.
    </p>
  )
}

/** The result's text, with what was read of its saved output. */
function Result(props: { readonly result: Entry; readonly call: Entry | undefined }) {
  const { result, call } = props
  return <ToolResult text={useOutputText(result)} entry={result} call={call} />
}

/** Formats arguments for reading and as one line. Models also send invalid JSON. */
function argumentsOf(content: string | undefined): {
  readonly summary: string
  readonly pretty: string | undefined
} {
  if (content === undefined || content === '') return { summary: '', pretty: undefined }
  const value = parsedArguments(content)
  if (value === undefined) return { summary: visibleText(content.slice(0, 200)), pretty: undefined }
  const first = Object.values(value).find((part) => typeof part === 'string' && part !== '')
  const summary = typeof first === 'string' ? first : JSON.stringify(value)
  return {
    summary: visibleText(summary.slice(0, 200).replace(/\s+/g, ' ')),
    pretty: JSON.stringify(value, null, 2),
  }
}
