import type { Entry } from '../../../shared/model/conversation/entry'
import { adaptedSentences } from '../../../shared/model/run/adaptations'
import { runTracesOf } from '../entries/run-traces'

/** Note on the adjustments of an answer's request; nothing without any. */
export function AnswerNotes(props: { readonly entry: Entry }) {
  const { without, adapted } = runTracesOf(props.entry)
  const sentences = adaptedSentences(without, adapted)
  if (sentences.length === 0) return null
  return <p className="answer-notes t3 small">{sentences.join(' ')}</p>
}
