import { type ReactNode, useId, useMemo, useRef } from 'react'
import { sourceLabel } from '../../../shared/model/conversation/sources'
import { useLibraryState } from '../../state/context'
import { useKeptFocus } from '../../ui/behaviour/use-kept-focus'
import { ChoiceMenu } from '../../ui/controls/ChoiceMenu'
import { SourceMark } from '../../ui/controls/SourceMark'
import { formatCount } from '../../ui/format/format'
import { countSources } from './filters'
import { useListedConversations } from './use-filtered'

/** The most sources that stand beside each other: more would push the conversations down. */
const mostButtons = 5

/** Filter of the library by source; nothing where all conversations are of one source. */
export function SourceFilter() {
  const conversations = useListedConversations()
  const chosen = useLibraryState((state) => state.source)
  const sources = useMemo(() => countSources(conversations, chosen), [conversations, chosen])
  if (sources.length < 2 && chosen === undefined) return null
  return <SourceChoice sources={sources} chosen={chosen} />
}

/** Returns true where a menu takes the place of a button for each source. */
export function useAreSourcesInMenu(): boolean {
  const conversations = useListedConversations()
  const chosen = useLibraryState((state) => state.source)
  return useMemo(
    () => countSources(conversations, chosen).length > mostButtons,
    [conversations, chosen],
  )
}

/** Properties of the filter's parts: the sources with their counts, and the chosen one. */
interface SourceProps {
  readonly sources: ReturnType<typeof countSources>
  readonly chosen: string | undefined
}

/** A button for each of a few sources, or a menu of more. Who is at one is at the other when it takes its place. */
function SourceChoice({ sources, chosen }: SourceProps) {
  const place = useRef<HTMLDivElement>(null)
  useKeptFocus(place, () =>
    place.current?.querySelector<HTMLElement>('button, input:checked')?.focus(),
  )
  return (
    <div ref={place} className="source-choices">
      {sources.length > mostButtons ? (
        <SourceMenu sources={sources} chosen={chosen} />
      ) : (
        <SourceButtons sources={sources} />
      )}
    </div>
  )
}

function SourceButtons({ sources }: Pick<SourceProps, 'sources'>) {
  const group = useId()
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

/** Menu of many sources, with the number of conversations of each. */
function SourceMenu({ sources, chosen }: SourceProps) {
  const setSource = useLibraryState((state) => state.setSource)
  return (
    <ChoiceMenu<string | undefined>
      text={
        <span className="source-chosen">
          {chosen !== undefined && (
            <span className="library-mark" aria-hidden="true">
              <SourceMark source={chosen} />
            </span>
          )}
          <span className="cut">
            {chosen === undefined
              ? `Source: any of ${sources.length}`
              : `Source: ${sourceLabel(chosen)}`}
          </span>
        </span>
      }
      options={[
        { value: undefined, label: 'All sources' },
        ...sources.map(([source, count]) => ({
          value: source,
          label: sourceLabel(source),
          count,
          mark: <SourceMark source={source} />,
        })),
      ]}
      value={chosen}
      onChoose={setSource}
      className="library-grouping tagged"
      isNarrowed={chosen !== undefined}
    />
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
