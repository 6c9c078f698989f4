import { adaptedSentences } from '../../shared/model/adapted'
import type { Entry } from '../../shared/model/entry'
import { runTracesOf } from './run-traces'

/** Sentences about how the request that an answer answers had to differ; quiet, since the answer came all the same. */
export function AnswerNotes(props: { readonly entry: Entry }) {
  const { without, adapted } = runTracesOf(props.entry)
  const sentences = adaptedSentences(without, adapted)
  if (sentences.length === 0) return null
  return <p className="answer-notes t3 small">{sentences.join(' ')}</p>
}
