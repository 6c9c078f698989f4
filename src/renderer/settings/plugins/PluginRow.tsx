import { visibleText } from '../../../shared/model/basics/visible'
import type { PluginState, PluginView } from '../../../shared/model/settings/plugins'
import { Button } from '../../ui/controls/Button'
import { PathText } from '../../ui/text/PathText'
import { PluginRuns } from './PluginRuns'
import { abbreviatedHash, pluginStateText } from './plugin-labels'

const chips: Readonly<Record<PluginState, { readonly words: string; readonly look: string }>> = {
  untrusted: { words: 'not trusted', look: 'line' },
  trusted: { words: 'trusted', look: 'accent' },
  changed: { words: 'changed', look: 'warn' },
  broken: { words: 'broken', look: 'warn' },
  disabled: { words: 'disabled', look: 'line' },
}

/** Row of a plugin: its state, its tools and hooks, its runs, and actions on it. */
export function PluginRow(props: {
  readonly plugin: PluginView
  readonly isBusy: boolean
  /** True where plugins can run on this system. */
  readonly canRun: boolean
  readonly onLook: () => void
  readonly onDistrust: () => void
  readonly onAskAgain: () => void
}) {
  const { plugin, isBusy, canRun } = props
  const { state, content, problem, offer } = plugin
  const name = visibleText(plugin.name)
  const chip = chips[state]
  const isBad = problem !== null || state === 'changed'
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls, this is mostly text
    <div className="plugin" role="group" aria-label={name} data-plugin={plugin.name}>
      <div className="plugin-head">
        <span className="label">{name}</span>
        <span className={`chip ${chip.look}`}>{chip.words}</span>
        <span className="grow" />
        {canRun && (state === 'untrusted' || state === 'changed') && (
          <button
            type="button"
            className={`button small ${isBusy ? 'busy' : ''}`}
            data-plugin-control=""
            aria-label={`Review ${name}`}
            onClick={isBusy ? undefined : props.onLook}
          >
            Review
          </button>
        )}
        {(state === 'trusted' || state === 'changed') && (
          <button
            type="button"
            className="button danger small"
            data-plugin-control=""
            aria-label={`Remove trust: ${name}`}
            onClick={isBusy ? undefined : props.onDistrust}
          >
            Remove trust
          </button>
        )}
      </div>
      <div className="plugin-place">
        <PathText path={visibleText(plugin.shown)} />
        {content !== null && (
          <span className="mono micro t3" title={`SHA-256 ${content.hash}`}>
            {abbreviatedHash(content.hash)}
          </span>
        )}
      </div>
      <p className={`small ${isBad ? 'warn-t' : 't2'}`}>{pluginStateText(plugin)}</p>
      {state === 'trusted' && problem !== null && (
        <Button kind="ghost" isSmall isBusy={isBusy} onClick={props.onAskAgain}>
          Reload
        </Button>
      )}
      {offer !== null && <Offer offer={offer} name={name} />}
      <PluginRuns name={name} runs={plugin.runs} />
    </div>
  )
}

function Offer(props: { readonly offer: NonNullable<PluginView['offer']>; readonly name: string }) {
  const { tools, notes } = props.offer
  return (
    <>
      <ul className="plugin-tools small" aria-label={`Tools of ${props.name}`}>
        {tools.map(({ name, description, problem }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a plugin may give one name twice
          <li key={index}>
            <span className="mono">{visibleText(name)}</span>{' '}
            <span className={problem === null ? 't2' : 'warn-t'}>
              {visibleText(problem === null ? description : `Not offered. ${problem}`)}
            </span>
          </li>
        ))}
      </ul>
      {notes.map((note) => (
        <p key={note} className="small warn-t">
          {visibleText(note)}
        </p>
      ))}
    </>
  )
}
