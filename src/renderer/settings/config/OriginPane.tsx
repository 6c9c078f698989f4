import { useSettings } from '../../state/context'
import {
  type ExplainedSetting,
  explainedValue,
  isOverridden,
  type OwnSetting,
  originOrder,
} from '../rows/origins'
import { ConfigOrigin } from './ConfigOrigin'

const names: Readonly<Record<OwnSetting, readonly [name: string, key: string]>> = {
  model: ['Default model', 'model'],
  baseUrl: ['Endpoint', 'base_url'],
  key: ['Key', 'api_key'],
  username: ['Your name', 'username'],
}

/** Pane of a setting's candidates in order, with the one that holds. */
export function OriginPane(props: { readonly explained: ExplainedSetting }) {
  const { explained } = props
  return (
    <section className="pane settings-origin" aria-label="Where this value comes from">
      <div className="bar chrome">
        <h2 className="strong">Where this value comes from</h2>
      </div>
      {isChosen(explained) ? (
        <ChosenOrigin chosen={explained} />
      ) : (
        <ConfigOrigin of={explained.slice('config:'.length)} />
      )}
    </section>
  )
}

function isChosen(explained: ExplainedSetting): explained is OwnSetting {
  return explained in names
}

function ChosenOrigin(props: { readonly chosen: OwnSetting }) {
  const view = useSettings((state) => state.view)
  if (view === undefined) return null
  const value = explainedValue(view, props.chosen)
  const [name, key] = names[props.chosen]
  const winner = originOrder.findIndex(({ origin }) => origin === value?.origin)
  return (
    <>
      <div className="origin-name">
        <div className="label">{name}</div>
        <div className="mono micro t3">{key}</div>
      </div>
      <ol className="origin-chain">
        {originOrder.map((place, index) => (
          <li
            key={place.origin}
            className={index === winner ? 'wins' : ''}
            aria-current={index === winner ? 'true' : undefined}
          >
            <span className="origin-knot" />
            <span className="label">{place.name}</span>
            <span className="mono micro t3 cut">
              {index === winner && value !== undefined ? value.where : place.where}
            </span>
            <span className="grow" />
            <span className="origin-value cut">
              {index === winner ? value?.value : index < winner || winner < 0 ? '–' : ''}
            </span>
          </li>
        ))}
      </ol>
      <p className="origin-words">
        {value === undefined
          ? 'Not set anywhere.'
          : isOverridden(value)
            ? `The topmost value applies. ${value.where} overrides Settings: remove the value there to use the one in Settings.`
            : 'The topmost value applies. A file in the home or a CHIBI variable would override this one.'}
      </p>
    </>
  )
}
