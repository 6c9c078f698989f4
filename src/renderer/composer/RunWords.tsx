import { count } from '../ui/format'
import { useNow } from '../ui/hooks'
import type { Composing } from './use-composer'

/** What the run is doing, in words beside the button that stops it. */
export function RunWords(props: { readonly composing: Composing }) {
  const { run, isRunning, isSending } = props.composing
  const isRetrying = run?.phase === 'retrying'
  const now = useNow(isRetrying ? 250 : undefined)
  if (isSending) return <span className="composer-words">Writing it down</span>
  if (run === undefined || !isRunning) return null
  if (isRetrying) {
    const seconds = Math.max(0, Math.ceil(((run.retryAtMs ?? now) - now) / 1000))
    return (
      <span className="composer-words" role="timer">
        Trying again in {count(seconds)} s, attempt {count(run.attempt ?? 2)}
      </span>
    )
  }
  const making = run.compaction?.phase
  if (making === 'choosing' || making === 'summarizing')
    return (
      <span className="composer-words">
        Making room for the request: older words are summarized
      </span>
    )
  return (
    <span className="composer-words">
      {run.phase === 'sending' ? 'Waiting for the model' : 'The answer is coming'}
      {making === 'near' && `; the model’s window is nearly full`}
    </span>
  )
}
