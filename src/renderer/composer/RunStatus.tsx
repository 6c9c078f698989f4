import type { LiveRun } from '../state/run-state'
import { useNow } from '../ui/behaviour/hooks'
import { formatCount } from '../ui/format/format'
import type { ComposerState } from './draft/use-composer'

/** Shorter silences are normal within an answer. */
const longSilenceMs = 5000

/** Words beside Stop on what the run is doing. Passing seconds are not read aloud. */
export function RunStatus(props: { readonly composing: ComposerState }) {
  const { run, isRunning, isSending } = props.composing
  const isRetrying = run?.phase === 'retrying'
  const sinceMs = isRunning ? waitingSince(run) : undefined
  const now = useNow(isRetrying ? 250 : sinceMs === undefined ? undefined : 1000)
  if (isSending) return <span className="composer-words">Saving</span>
  if (run === undefined || !isRunning) return null
  if (isRetrying) {
    const seconds = Math.max(0, Math.ceil(((run.retryAtMs ?? now) - now) / 1000))
    return (
      <span className="composer-words" role="timer">
        Trying again in {formatCount(seconds)} s, attempt {formatCount(run.attempt ?? 2)}
      </span>
    )
  }
  const making = run.compaction?.phase
  if (making === 'choosing' || making === 'summarizing')
    return <span className="composer-words">Making room: summarizing earlier messages</span>
  const silenceMs = sinceMs === undefined ? 0 : now - sinceMs
  const near = making === 'near' && `; the context window is nearly full`
  if (run.phase === 'sending' && sinceMs !== undefined && silenceMs >= 1000)
    return (
      <span className="composer-words" role="timer">
        Waiting for the first word, {formatCount(Math.floor(silenceMs / 1000))} s{near}
      </span>
    )
  if (run.phase === 'streaming' && silenceMs >= longSilenceMs)
    return (
      <span className="composer-words" role="timer">
        Waiting for the next word, {formatCount(Math.floor(silenceMs / 1000))} s{near}
      </span>
    )
  return (
    <span className="composer-words">
      {run.phase === 'sending' ? 'Waiting for the model' : 'Answering'}
      {near}
    </span>
  )
}

/** Returns when waiting for text began, in ms; undefined while none is expected, as while a tool runs. */
function waitingSince(run: LiveRun | undefined): number | undefined {
  return run?.phase === 'sending' ? run.sentAtMs : run?.heardAtMs
}
