import { useSearch } from '../state/context'
import { KeyHint } from '../ui/controls/Button'
import { formatByteSize, formatCount } from '../ui/format/format'

/** Foot of the search: keys, the position among the hits, or the progress of the search index. */
export function SearchFoot() {
  const index = useSearch((state) => state.index)
  const total = useSearch(({ shown }) => shown.hits.length)
  const position = useSearch(({ shown, selected }) =>
    shown.hits.findIndex(({ id }) => id === selected),
  )
  return (
    <div className="search-foot">
      {index?.building ? (
        <span className="row-x search-index">
          <span className="search-meter" aria-hidden="true">
            <span style={{ transform: `scaleX(${share(index.bytesDone, index.bytes)})` }} />
          </span>
          <span className="cut">
            The index is being built, {formatByteSize(index.bytesDone)} of{' '}
            {formatByteSize(index.bytes)}. The rest is searched without it.
          </span>
        </span>
      ) : total === 0 ? (
        <Hint keys={['Esc']}>close</Hint>
      ) : (
        <>
          <Hint keys={['↑', '↓']}>hit</Hint>
          <Hint keys={['Enter']}>open there</Hint>
          <Hint keys={['Alt', '↓']}>next conversation</Hint>
          <Hint keys={['←', '→']}>fold</Hint>
          <Hint keys={['F3']}>next hit, from anywhere</Hint>
        </>
      )}
      <span className="grow" />
      {position >= 0 && (
        <span className="number search-position">
          hit {formatCount(position + 1)} of {formatCount(total)}
        </span>
      )}
    </div>
  )
}

function Hint(props: { readonly keys: readonly string[]; readonly children: string }) {
  return (
    <span className="search-hint">
      <KeyHint keys={props.keys} />
      {props.children}
    </span>
  )
}

function share(done: number, all: number): number {
  return all === 0 ? 1 : Math.min(1, done / all)
}
