import { Switch } from 'radix-ui'
import { useEffect, useId } from 'react'
import {
  isKeyFault,
  type LocalServer,
  type VisibleSettings,
} from '../../../shared/model/settings/settings'
import { useSettings } from '../../state/context'
import { Button } from '../../ui/controls/Button'
import { formatQuantity } from '../../ui/format/format'
import { RefusalNote } from '../../ui/notes/RefusalNote'
import { FaultText, RefusedChange, SettingFaults } from '../rows/Faults'
import { type ExplainedSetting, explainedValue, isOverridden } from '../rows/origins'
import { OriginButton, SettingRow } from '../rows/SettingRow'
import { TextSetting } from '../rows/TextSetting'
import { CheckRow } from './CheckRow'
import { KeyRow } from './KeyRow'
import { TitleRows } from './TitleRows'

/** Section of Settings for the practice model, the default model, the endpoint, its key, titles and local servers. */
export function ModelSection(props: {
  readonly explained: ExplainedSetting
  readonly onExplain: (what: ExplainedSetting) => void
}) {
  const { explained, onExplain } = props
  const view = useSettings((state) => state.view)
  const setModel = useSettings((state) => state.setModel)
  const refusal = useSettings(({ refusals }) => refusals.model)
  if (view === undefined) return null
  const row = { view, explained, onExplain }
  return (
    <>
      <div className="settings-columns" aria-hidden="true">
        <span>Choice</span>
        <span />
        <span>From</span>
      </div>
      <RefusalNote title="Not saved." refusal={refusal} />
      <PracticeRow view={view} />
      <ValueRow
        {...row}
        what="model"
        name="Default model"
        configKey="model"
        words="Used for new conversations."
        placeholder="Such as openai/gpt-5.1"
        onSave={(model) => setModel({ model })}
      />
      <ValueRow
        {...row}
        what="baseUrl"
        name="Endpoint"
        configKey="base_url"
        words="Any server that speaks OpenAI’s chat completions or Responses API."
        placeholder="https://…"
        onSave={(baseUrl) => setModel({ baseUrl })}
      />
      <KeyRow view={view} isSelected={explained === 'key'} onExplain={() => onExplain('key')} />
      <CheckRow />
      <h3 className="settings-head">Titles</h3>
      <TitleRows />
      <h3 className="settings-head">On this computer</h3>
      <LocalServers onUse={(server) => void setModel(changeTo(server))} />
      <SettingFaults faults={view.faults.filter((fault) => !isKeyFault(fault))} />
    </>
  )
}

function changeTo(server: LocalServer) {
  const [model] = server.models
  return {
    baseUrl: server.baseUrl,
    provider: 'endpoint' as const,
    ...(model === undefined ? {} : { model }),
  }
}

function PracticeRow(props: { readonly view: VisibleSettings }) {
  const { provider } = props.view
  const setModel = useSettings((state) => state.setModel)
  const id = useId()
  return (
    <SettingRow
      name="Practice model"
      labelFor={id}
      words="No AI, works offline. Skein’s built-in server answers, so you can try everything at no cost."
      control={
        <Switch.Root
          id={id}
          className="switch"
          checked={provider === 'practice'}
          onCheckedChange={(isOn) => void setModel({ provider: isOn ? 'practice' : 'endpoint' })}
        >
          <Switch.Thumb className="switch-thumb" />
        </Switch.Root>
      }
      from={provider === 'practice' && <span className="t2 small">answers every conversation</span>}
    />
  )
}

function ValueRow(props: {
  readonly view: VisibleSettings
  readonly explained: ExplainedSetting
  readonly onExplain: (what: ExplainedSetting) => void
  readonly what: 'model' | 'baseUrl'
  readonly name: string
  readonly configKey: string
  readonly words: string
  readonly placeholder: string
  readonly onSave: (value: string) => Promise<boolean>
}) {
  const { view, what, name, configKey, words, placeholder, onSave, onExplain } = props
  const id = useId()
  const value = explainedValue(view, what)
  const fault = view.faults.find(({ key }) => key === configKey)
  const setValue = useSettings((state) => state.setValue)
  const refused = useSettings(({ configRefusals }) => configRefusals[configKey])
  const ofHome = useSettings(({ config }) =>
    config?.key === undefined
      ? config?.view.values.find(({ key }) => key === configKey)?.inConfig
      : undefined,
  )
  // A value in config.toml is changed there: one in Settings would have no effect.
  const isOfHome = ofHome !== undefined && value?.origin === 'config.toml'
  const overridden = !isOfHome && isOverridden(value)
  const save = (text: string) =>
    isOfHome
      ? setValue({
          key: configKey,
          value: text === '' ? null : text,
          file: 'config.toml',
          was: ofHome.value,
        })
      : onSave(text)
  return (
    <SettingRow
      name={name}
      configKey={configKey}
      labelFor={id}
      isSelected={props.explained === what}
      words={
        refused !== undefined ? (
          <RefusedChange message={refused.message} />
        ) : fault !== undefined ? (
          <FaultText fault={fault} />
        ) : overridden ? (
          `Set in ${value?.where ?? 'a file'}, which overrides Settings. Change it there.`
        ) : (
          words
        )
      }
      control={
        <TextSetting
          id={id}
          value={value?.value ?? ''}
          placeholder={placeholder}
          {...(overridden ? {} : { onSave: save })}
          isBad={fault !== undefined}
          onFocus={() => onExplain(what)}
        />
      }
      from={
        <OriginButton
          value={value}
          name={name}
          isFault={fault !== undefined}
          onExplain={() => onExplain(what)}
        />
      }
    />
  )
}

/** Servers that answer on loopback; searched for when the section opens. */
function LocalServers(props: { readonly onUse: (server: LocalServer) => void }) {
  const servers = useSettings((state) => state.localServers)
  const find = useSettings((state) => state.findLocalServers)
  const used = useSettings(({ view }) => view?.baseUrl.value)
  useEffect(() => void find(), [find])
  return (
    <>
      {servers?.map((server) => (
        <SettingRow
          key={server.baseUrl}
          name={server.name}
          words={
            server.models.length === 0
              ? 'Running, without a model.'
              : `${server.models[0]}${server.models.length > 1 ? ` and ${formatQuantity(server.models.length - 1, 'other', 'others')}` : ''}`
          }
          control={<span className="mono small t2">{server.baseUrl}</span>}
          from={
            used === server.baseUrl ? (
              <span className="t2 small">in use</span>
            ) : (
              <Button isSmall onClick={() => props.onUse(server)}>
                Use
              </Button>
            )
          }
        />
      ))}
      <div className="row-x settings-after">
        <span className="t3 small">
          {servers === undefined
            ? 'Checking Ollama, LM Studio and llama.cpp…'
            : servers.length === 0
              ? 'Ollama, LM Studio and llama.cpp do not answer.'
              : 'Only this computer was checked.'}
        </span>
        <Button kind="ghost" isSmall onClick={() => void find()}>
          Check again
        </Button>
      </div>
    </>
  )
}
