import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type LibraryKey, parseLibraryKey } from '../../../shared/model/conversation/conversation'
import type { ConfigGroup } from '../../../shared/model/settings/settings'
import { useApp, useLibraryState, useSettings } from '../../state/context'
import { Icon } from '../../ui/controls/Icon'
import { SegmentedControl } from '../../ui/controls/SegmentedControl'
import { Note } from '../../ui/notes/Note'
import { RefusalNote } from '../../ui/notes/RefusalNote'
import { SettingFaults } from '../rows/Faults'
import type { ExplainedSetting } from '../rows/origins'
import { ConfigRow } from './ConfigRow'
import { configFaultOf, configGroupNames, isFaultIn, matchingValues } from './config-labels'

/** Groups of the keys of chibi's files, for the home or for the open context. */
export function ConfigSection(props: {
  readonly groups: readonly ConfigGroup[]
  /** Keys that have a row elsewhere, while the home's are shown. */
  readonly besides?: readonly string[]
  readonly explained: ExplainedSetting
  readonly onExplain: (what: ExplainedSetting) => void
}) {
  const { groups, besides = [], explained, onExplain } = props
  const open = useOpenContext()
  const [isOfContext, setOfContext] = useState(false)
  const [query, setQuery] = useState('')
  const key = isOfContext ? open : undefined
  const load = useSettings((state) => state.loadConfig)
  const config = useSettings((state) => state.config)
  const failure = useSettings((state) => state.configFailure)
  // Read again with the settings: a file may have been edited elsewhere.
  const settings = useSettings((state) => state.view)
  useEffect(() => {
    if (settings !== undefined) void load(key)
  }, [load, key, settings])

  const view = config?.key === key ? config?.view : undefined
  const file = key === undefined ? 'config.toml' : 'local.toml'
  const broken = view?.broken.find((each) => each.file === file)
  const values = matchingValues(view?.values ?? [], groups, query).filter(
    (value) => key !== undefined || !besides.includes(value.key),
  )
  // Faults of the home are shown above; here are those of the context that no row shows.
  const others = (view?.faults ?? []).filter(
    (fault) =>
      file === 'local.toml' &&
      isFaultIn(fault, file) &&
      fault.key !== undefined &&
      !view?.values.some((value) => value.key === fault.key),
  )
  return (
    <section aria-label="chibi’s settings">
      <div className="config-head">
        {open === undefined ? (
          <span className="t2 small">
            Saved in config.toml, for every conversation in this home.
          </span>
        ) : (
          <SegmentedControl
            label="Settings of"
            value={isOfContext ? 'context' : 'home'}
            options={{ home: 'Every conversation', context: 'This conversation' }}
            onChoose={(choice) => setOfContext(choice === 'context')}
          />
        )}
        <span className="grow" />
        <div className="field config-search">
          <Icon of={Search} />
          <input
            type="search"
            aria-label="Find a setting"
            placeholder="Find a setting"
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape' || query === '') return
              event.stopPropagation()
              setQuery('')
            }}
          />
        </div>
      </div>
      <RefusalNote title="The configuration could not be read." refusal={failure} />
      {broken !== undefined && (
        <Note tone="error" title={`${file} is ignored and cannot be changed here.`}>
          {broken.message} Fix that line; until then the values below apply.
        </Note>
      )}
      <SettingFaults faults={others} />
      {view !== undefined && values.length === 0 && (
        <p className="t2 small config-none" role="status">
          No results.
        </p>
      )}
      {groups.map((group) => {
        const rows = values.filter((value) => value.group === group)
        if (rows.length === 0) return null
        return (
          <section key={group} aria-label={configGroupNames[group]}>
            <h3 className="settings-head">{configGroupNames[group]}</h3>
            {rows.map((value) => (
              <ConfigRow
                // A row of its own for each file, so that typed text never goes to the other one.
                key={`${file} ${value.key}`}
                value={value}
                file={file}
                fault={configFaultOf(view?.faults ?? [], value.key, file)}
                isBroken={broken !== undefined}
                isSelected={explained === `config:${value.key}`}
                onExplain={() => onExplain(`config:${value.key}`)}
              />
            ))}
          </section>
        )
      })}
    </section>
  )
}

/** Returns the open conversation where it is a context. */
function useOpenContext(): LibraryKey | undefined {
  const key = useApp(({ place }) => (place.type === 'conversation' ? place.key : undefined))
  const isThere = useLibraryState(({ conversations }) =>
    conversations.some((each) => each.key === key && each.gone !== true),
  )
  return key !== undefined && isThere && parseLibraryKey(key).source === 'chibi' ? key : undefined
}
