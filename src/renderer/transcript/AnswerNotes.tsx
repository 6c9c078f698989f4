import type { Entry } from '../../shared/model/entry'
import { tracesOf } from './run-traces'

/** What was left out of the request that an answer answers; quiet, since the answer came all the same. */
export function AnswerNotes(props: { readonly entry: Entry }) {
  const { without } = tracesOf(props.entry)
  if (without.length === 0) return null
  const parameters = without.filter((name) => !['images', 'tools', 'thoughts'].includes(name))
  return (
    <p className="answer-notes t3 small">
      {[
        without.includes('images') ? 'The model takes no images: it was sent the words alone.' : '',
        without.includes('thoughts') ? 'The provider did not take back its earlier reasoning.' : '',
        without.includes('tools') ? 'The model takes no tools: none were offered.' : '',
        parameters.length === 0
          ? ''
          : `Sent without ${parameters.join(', ')}: the provider refused ${parameters.length === 1 ? 'it' : 'them'}.`,
      ]
        .filter(Boolean)
        .join(' ')}
    </p>
  )
}
