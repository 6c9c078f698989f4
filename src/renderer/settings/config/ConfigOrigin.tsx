import { useSettings } from '../../state/context'
import { originNames } from './config-labels'

/** List of the candidates for a key of chibi's files: the one that holds, and the others struck through. */
export function ConfigOrigin(props: { readonly of: string }) {
  const value = useSettings(({ config }) => config?.view.values.find(({ key }) => key === props.of))
  if (value === undefined) return null
  const { name, key, words, used, offers, fallback } = value
  return (
    <>
      <div className="origin-name">
        <div className="label">{name}</div>
        <div className="mono micro t3">{key}</div>
      </div>
      {offers.length > 0 && (
        <ol className="origin-chain">
          {offers.map((offer) => {
            const wins = offer.where === used?.where
            return (
              <li
                key={offer.where}
                className={wins ? 'wins' : ''}
                aria-current={wins ? 'true' : undefined}
              >
                <span className="origin-knot" />
                <span className="label">{originNames[offer.origin]}</span>
                <span className="mono micro t3 cut">
                  {offer.origin === 'default' ? 'built in' : offer.where}
                </span>
                <span className="grow" />
                <span className="origin-value cut" title={offer.value}>
                  {wins ? offer.value : <s>{offer.value}</s>}
                </span>
              </li>
            )
          })}
        </ol>
      )}
      <p className="origin-words">{words}</p>
      <p className="origin-words">
        {used === undefined
          ? 'No value is in effect.'
          : offers.length > 1
            ? 'The topmost value applies. Remove it and the next one does.'
            : fallback === undefined
              ? 'Removed: nothing is set.'
              : 'A conversation’s local.toml and config.toml override the default.'}{' '}
        A change here writes only that line; comments and other keys stay.
      </p>
    </>
  )
}
