import type { Entry } from '../../../shared/model/conversation/entry'
import { adaptedSentences } from '../../../shared/model/run/adaptations'
import { runTracesOf } from '../entries/run-traces'

/** Sentences about how the request that an answer answers had to differ; quiet, since the answer came all the same. */
export function AnswerNotes(props: { readonly entry: Entry }) {
  const { without, adapted } = runTracesOf(props.entry)
  const sentences = adaptedSentences(without, adapted)
  if (sentences.length === 0) return null
  return <p className="answer-notes t3 small">{sentences.join(' ')}</p>
}
