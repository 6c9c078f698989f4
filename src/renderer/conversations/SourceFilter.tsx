import { type ReactNode, useId, useMemo } from 'react'
import { sourceLabel } from '../../shared/model/conversation/sources'
import { useLibraryState } from '../state/context'
import { SourceMark } from '../ui/controls/SourceMark'
import { formatCount } from '../ui/format/format'
import { countSources } from './filters'
import { useListedConversations } from './use-library-rows'

/** Filter of the library by source; nothing where all conversations are of one source. */
export function SourceFilter() {
  const conversations = useListedConversations()
  const chosen = useLibraryState((state) => state.source)
  const sources = useMemo(() => countSources(conversations, chosen), [conversations, chosen])
  const group = useId()
  if (sources.length < 2 && chosen === undefined) return null
  return (
    <div className="source-choices" role="radiogroup" aria-label="Source">
      <Choice group={group} source={undefined}>
        All
      </Choice>
      {sources.map(([source, number]) => (
        <Choice key={source} group={group} source={source}>
          <span className="library-mark" aria-hidden="true">
            <SourceMark source={source} />
          </span>
          <span className="cut">{sourceLabel(source)}</span>{' '}
          <span className="number">{formatCount(number)}</span>
        </Choice>
      ))}
    </div>
  )
}

/** A native radio button, so that arrow keys choose. */
function Choice(props: {
  readonly group: string
  readonly source: string | undefined
  readonly children: ReactNode
}) {
  const { group, source, children } = props
  const isChosen = useLibraryState((state) => state.source === source)
  const setSource = useLibraryState((state) => state.setSource)
  return (
    <label className="segment">
      <input
        type="radio"
        className="segment-input"
        name={group}
        checked={isChosen}
        onChange={() => setSource(source)}
      />
      {children}
    </label>
  )
}
