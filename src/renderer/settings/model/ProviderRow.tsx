import { useRef, useState } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import type { Provider } from '../../../shared/model/settings/model-info'
import { type Protocol, protocols } from '../../../shared/model/settings/protocol'
import type { Timeouts } from '../../../shared/model/settings/timeouts'
import { useModels, useStores } from '../../state/context'
import { focusWhenDrawn } from '../../ui/behaviour/focus'
import { Button } from '../../ui/controls/Button'
import { formatCount } from '../../ui/format/format'
import { InlineField } from '../rows/InlineField'
import { SettingRow } from '../rows/SettingRow'
import { KeyRefusal } from './KeyRefusal'
import { TimeoutsForm } from './TimeoutsForm'

const protocolNames: Readonly<Record<Protocol, string>> = {
  'chat-completions': 'Chat completions',
  responses: 'Responses API',
}

type Entering = 'key' | 'name' | 'timeouts'

/** Row of a provider: its address, its key, and actions on it. */
export function ProviderRow(props: {
  readonly provider: Provider
  readonly onPick: () => void
  readonly onRemove: () => void
}) {
  const { provider, onPick, onRemove } = props
  const {
    id,
    name,
    baseUrl,
    kind,
    key,
    timeouts,
    adapted,
    protocol = 'chat-completions',
  } = provider
  const { models } = useStores()
  const refusal = useModels(({ refusals }) => refusals[id])
  const [entering, setEntering] = useState<Entering>()
  /** A key that waits for confirmation, since the keychain is weak. */
  const [weak, setWeak] = useState<string>()
  const keyButton = useRef<HTMLButtonElement>(null)
  const timeoutsButton = useRef<HTMLButtonElement>(null)
  const isWeak = refusal?.code === 'weak-keychain' && weak !== undefined

  function forgetRefused(): void {
    setWeak(undefined)
    models.getState().dismiss(id)
  }

  function close(): void {
    setEntering(undefined)
    forgetRefused()
    const button = entering === 'timeouts' ? timeoutsButton : keyButton
    focusWhenDrawn(() => button.current)
  }

  async function keepKey(text: string, allowWeak: boolean): Promise<void> {
    setWeak(text)
    if (await models.getState().setKey(id, text, allowWeak)) close()
  }

  async function removeKey(): Promise<void> {
    // The button goes with the key, so the focus must move.
    if (await models.getState().setKey(id, null, false)) keyButton.current?.focus()
  }

  async function keepTimeouts(seconds: Timeouts | null): Promise<void> {
    if (await models.getState().setTimeouts(id, seconds)) close()
  }

  async function forgetConcessions(): Promise<void> {
    // The button goes, so the focus must move.
    if (await models.getState().forgetConcessions(id)) timeoutsButton.current?.focus()
  }

  async function rename(text: string): Promise<void> {
    if (await models.getState().rename(id, text)) close()
  }

  return (
    <>
      <SettingRow
        name={visibleText(name)}
        groupName={`Provider ${name}`}
        words={
          <>
            <span className="mono">{baseUrl}</span>
            <span className="provider-key">{keyWords(provider)}</span>
            {adapted !== undefined && (
              <span className="provider-key">
                Requests are adapted for {visibleText(adapted.join(', '))}
              </span>
            )}
            {timeouts !== undefined && <span className="provider-key">{waitWords(timeouts)}</span>}
          </>
        }
        control={
          entering === undefined ? (
            <div className="key-form">
              <Button ref={keyButton} isSmall onClick={() => setEntering('key')}>
                {key.present && key.isOwn ? 'Replace key…' : 'Add a key…'}
              </Button>
              {key.isOwn && (
                <Button kind="danger" isSmall onClick={() => void removeKey()}>
                  Remove key
                </Button>
              )}
            </div>
          ) : entering === 'timeouts' ? (
            <TimeoutsForm
              name={name}
              timeouts={timeouts}
              onKeep={(seconds) => void keepTimeouts(seconds)}
              onCancel={close}
            />
          ) : (
            <InlineField
              // A field of its own for each, so that a typed key is never shown as a name.
              key={entering}
              label={entering === 'key' ? `Key for ${name}` : `Name of ${name}`}
              initial={entering === 'key' ? '' : name}
              isSecret={entering === 'key'}
              onChange={forgetRefused}
              onKeep={(text) => void (entering === 'key' ? keepKey(text, false) : rename(text))}
              onCancel={close}
            />
          )
        }
        from={
          <div className="key-form">
            <Button isSmall onClick={onPick}>
              Models…
            </Button>
            <select
              className="config-select"
              aria-label={`API of ${name}`}
              value={protocol}
              onChange={(event) => {
                const chosen = protocols.find((one) => one === event.target.value)
                if (chosen !== undefined) void models.getState().setProtocol(id, chosen)
              }}
            >
              {protocols.map((one) => (
                <option key={one} value={one}>
                  {protocolNames[one]}
                </option>
              ))}
            </select>
            <Button
              ref={timeoutsButton}
              kind="ghost"
              isSmall
              onClick={() => setEntering('timeouts')}
            >
              Timeouts…
            </Button>
            {adapted !== undefined && (
              <Button kind="ghost" isSmall onClick={() => void forgetConcessions()}>
                Forget adaptations
              </Button>
            )}
            {kind === 'named' && (
              <>
                <Button kind="ghost" isSmall onClick={() => setEntering('name')}>
                  Rename…
                </Button>
                <Button kind="danger" isSmall onClick={onRemove}>
                  Remove
                </Button>
              </>
            )}
          </div>
        }
      />
      <KeyRefusal
        title="Nothing was changed."
        refusal={refusal}
        onSaveAnyway={isWeak ? () => void keepKey(weak, true) : undefined}
      />
    </>
  )
}

function keyWords({ key }: Provider): string {
  if (key.present) return `Key ${key.hint ?? ''} from ${key.where ?? 'the keychain'}`
  return key.isNeeded ? 'No key yet' : 'Needs no key'
}

function waitWords({ firstByteSeconds, silenceSeconds }: Timeouts): string {
  return `Waits ${formatCount(firstByteSeconds)} s for the first byte, ${formatCount(silenceSeconds)} s between pieces`
}
