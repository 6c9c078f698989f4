import { TriangleAlert } from 'lucide-react'
import { Switch } from 'radix-ui'
import { useEffect, useId } from 'react'
import type { LocalServer, SettingFault, SettingsView } from '../../shared/model/settings'
import { useSettings } from '../state/context'
import { Button } from '../ui/Button'
import { counted } from '../ui/format'
import { Icon } from '../ui/Icon'
import { Note } from '../ui/Note'
import { CheckRow } from './CheckRow'
import { KeyRow } from './KeyRow'
import { type Explained, explainedValue, isOverridden } from './origins'
import { Origin, Row } from './Row'
import { TextSetting } from './TextSetting'

/** Which model answers, where it is, and with what key. */
export function ModelSection(props: {
  readonly explained: Explained
  readonly onExplain: (what: Explained) => void
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
      {refusal !== undefined && (
        <Note tone="error" title="Not kept." detail={refusal.detail}>
          {refusal.message}
        </Note>
      )}
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
        words="Any server that speaks OpenAI’s chat completions."
        placeholder="https://…"
        onSave={(baseUrl) => setModel({ baseUrl })}
      />
      <KeyRow view={view} isSelected={explained === 'key'} onExplain={() => onExplain('key')} />
      <CheckRow />
      <h3 className="settings-head">On this machine</h3>
      <LocalServers onUse={(server) => void setModel(changeTo(server))} />
      <h3 className="settings-head">You</h3>
      <ValueRow
        {...row}
        what="username"
        name="Your name"
        configKey="username"
        words="Written as the sender of your messages; set in config.toml."
        placeholder=""
      />
      <Faults faults={view.faults} />
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

function PracticeRow(props: { readonly view: SettingsView }) {
  const { provider } = props.view
  const setModel = useSettings((state) => state.setModel)
  const id = useId()
  return (
    <Row
      name="Practice model"
      labelFor={id}
      words="No AI, works offline: a server of Skein’s own answers, so that every button can be tried without cost."
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
      from={provider === 'practice' && <span className="t2 small">answers for every context</span>}
    />
  )
}

function ValueRow(props: {
  readonly view: SettingsView
  readonly explained: Explained
  readonly onExplain: (what: Explained) => void
  readonly what: Exclude<Explained, 'key'>
  readonly name: string
  readonly configKey: string
  readonly words: string
  readonly placeholder: string
  /** Absent where Skein does not write the value. */
  readonly onSave?: (value: string) => Promise<boolean>
}) {
  const { view, what, name, configKey, words, placeholder, onSave, onExplain } = props
  const id = useId()
  const value = explainedValue(view, what)
  const fault = view.faults.find(({ key }) => key === configKey)
  const overridden = onSave !== undefined && isOverridden(value)
  return (
    <Row
      name={name}
      configKey={configKey}
      labelFor={id}
      isSelected={props.explained === what}
      words={
        fault !== undefined ? (
          <FaultWords fault={fault} />
        ) : overridden ? (
          `Set in ${value?.where ?? 'a file'}, which comes before Settings. Change it there.`
        ) : (
          words
        )
      }
      control={
        <TextSetting
          id={id}
          value={value?.value ?? ''}
          placeholder={placeholder}
          {...(onSave === undefined || overridden ? {} : { onSave })}
          isBad={fault !== undefined}
          onFocus={() => onExplain(what)}
        />
      }
      from={
        <Origin
          value={value}
          name={name}
          isFault={fault !== undefined}
          onExplain={() => onExplain(what)}
        />
      }
    />
  )
}

/** Servers that answer on loopback; asked for when the section opens. */
function LocalServers(props: { readonly onUse: (server: LocalServer) => void }) {
  const servers = useSettings((state) => state.localServers)
  const find = useSettings((state) => state.findLocalServers)
  const used = useSettings(({ view }) => view?.baseUrl.value)
  useEffect(() => void find(), [find])
  return (
    <>
      {servers?.map((server) => (
        <Row
          key={server.baseUrl}
          name={server.name}
          words={
            server.models.length === 0
              ? 'It answers, and has no model.'
              : `${server.models[0]}${server.models.length > 1 ? ` and ${counted(server.models.length - 1, 'other', 'others')}` : ''}`
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
            ? 'Asking Ollama, LM Studio and llama.cpp…'
            : servers.length === 0
              ? 'None of Ollama, LM Studio and llama.cpp answers.'
              : 'Asked on loopback alone.'}
        </span>
        <Button kind="ghost" isSmall onClick={() => void find()}>
          Ask again
        </Button>
      </div>
    </>
  )
}

/** Lines of the configuration that were not understood, each with its place. */
function Faults(props: { readonly faults: readonly SettingFault[] }) {
  const { faults } = props
  if (faults.length === 0) return null
  return (
    <>
      <h3 className="settings-head">
        Not understood <span className="t3 number">{faults.length}</span>
      </h3>
      <ul className="settings-faults" aria-label="Not understood">
        {faults.map((fault) => (
          <li key={`${fault.file}:${fault.line}:${fault.key}:${fault.message}`}>
            <Icon of={TriangleAlert} size={12} className="err-t" />
            <span className="origin-chip fault">{placeOf(fault)}</span>
            <span className="grow">
              {fault.key !== undefined && <span className="mono small">{fault.key}: </span>}
              {fault.message}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

function FaultWords(props: { readonly fault: SettingFault }) {
  return (
    <span className="err-t fault-words">
      <Icon of={TriangleAlert} size={12} />
      {placeOf(props.fault)}: {props.fault.message}
    </span>
  )
}

function placeOf({ file, line }: SettingFault): string {
  return line === undefined ? file : `${file}:${line}`
}
