import { Box, Check, Link, type LucideIcon, Plug } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { useSettings, useStores } from '../state/context'
import { Button } from '../ui/controls/Button'
import { Icon } from '../ui/controls/Icon'

/**
 * List of local servers, the endpoint and the practice model, each with whether it can answer. Only local servers
 * are asked.
 */
export function ModelsThatAnswer() {
  const { app } = useStores()
  const servers = useSettings((state) => state.localServers)
  const find = useSettings((state) => state.findLocalServers)
  const view = useSettings((state) => state.view)
  useEffect(() => void find(), [find])
  const hasKey = view?.key.present === true
  return (
    <section className="first-run-models" aria-label="Models that answer">
      <div className="row-x first-run-head">
        <h2 className="strong">Models that answer</h2>
        <span className="t3 small">only this computer was checked</span>
      </div>
      <div className="first-run-list">
        {servers === undefined && (
          <Line icon={Box} name="Local servers" about="checking Ollama, LM Studio, llama.cpp" />
        )}
        {servers?.map(({ name, baseUrl, models }) => (
          <Line
            key={baseUrl}
            icon={Box}
            name={name}
            about={<span className="mono">{addressOf(baseUrl)}</span>}
            state={
              models.length === 0
                ? 'no model'
                : models.length === 1
                  ? models[0]
                  : `${models[0]} and ${models.length - 1} more`
            }
            isReady={models.length > 0}
          />
        ))}
        {servers?.length === 0 && (
          <Line
            icon={Box}
            name="Local servers"
            about="Ollama, LM Studio and llama.cpp do not answer"
          />
        )}
        <Line
          icon={Link}
          name={view === undefined ? 'Endpoint' : nameOf(view.baseUrl.value)}
          about={
            hasKey ? (
              <>
                key from <span className="mono">{view.key.where ?? 'the keychain'}</span>
              </>
            ) : (
              'no key yet'
            )
          }
          state={
            !hasKey && (
              <Button isSmall onClick={() => app.getState().openSettings('model')}>
                Enter a key…
              </Button>
            )
          }
          isReady={hasKey && view.ready}
        />
        <Line icon={Plug} name="Practice model" about="no AI, works offline, free to try" isReady />
      </div>
      <p className="t3 small first-run-after">Change it at any time in Settings, Model.</p>
    </section>
  )
}

function Line(props: {
  readonly icon: LucideIcon
  readonly name: string
  readonly about: ReactNode
  readonly state?: ReactNode
  readonly isReady?: boolean
}) {
  return (
    <div className="first-run-line">
      <Icon of={props.icon} className="t2" />
      <span className="first-run-name">{props.name}</span>
      <span className="t2 small grow first-run-about">{props.about}</span>
      <span className="small t2">{props.state}</span>
      {props.isReady && <Icon of={Check} className="ok-t" label="ready" />}
    </div>
  )
}

function addressOf(baseUrl: string): string {
  try {
    return new URL(baseUrl).host
  } catch {
    return baseUrl // Shown as it was given.
  }
}

/** The endpoint's name where it is a known one, else its host. */
function nameOf(baseUrl: string): string {
  const host = addressOf(baseUrl)
  if (host === 'openrouter.ai') return 'OpenRouter'
  return host === 'api.openai.com' ? 'OpenAI' : host
}
