import type { Contract } from '../../../src/shared/ipc/contract'
import type { Handlers } from '../../../src/shared/ipc/wire/primitives'
import { AppError } from '../../../src/shared/model/basics/errors'
import type {
  ConfigFile,
  ConfigOffer,
  ConfigValue,
  ConfigView,
} from '../../../src/shared/model/settings/settings'

type Known = Pick<ConfigValue, 'key' | 'name' | 'words' | 'group' | 'kind'> &
  Partial<Pick<ConfigValue, 'choices' | 'fallback' | 'isOfContexts'>>

const known: readonly Known[] = [
  {
    key: 'username',
    name: 'Your name',
    words: 'Written as the sender of your messages.',
    group: 'model',
    kind: 'text',
    fallback: 'user',
  },
  {
    key: 'context_window_limit',
    name: 'Context window',
    words: 'In tokens; 0 uses the provider’s value.',
    group: 'model',
    kind: 'number',
    fallback: '0',
  },
  {
    key: 'warn_threshold_percent',
    name: 'Warn at',
    words: 'Percent of the context window at which a warning appears.',
    group: 'model',
    kind: 'number',
    fallback: '80',
  },
  {
    key: 'fuel',
    name: 'Fuel',
    words: 'Rounds of tools in one run before it stops; 0 is no limit.',
    group: 'run',
    kind: 'number',
    fallback: '30',
  },
  {
    key: 'fallback_tool',
    name: 'After an answer',
    words:
      'call_user returns the turn to you; call_agent lets the model continue until its fuel is used up.',
    group: 'run',
    kind: 'choice',
    choices: ['call_user', 'call_agent'],
    fallback: 'call_user',
  },
  {
    key: 'no_tool_calls',
    name: 'No tools',
    words: 'The model gets no tools.',
    group: 'tools',
    kind: 'flag',
    fallback: 'false',
  },
  {
    key: 'file_tools_allowed_paths',
    name: 'Folders for file tools',
    words: 'Absolute, or from ~/. Without one there are no file tools.',
    group: 'tools',
    kind: 'list',
  },
  {
    key: 'api.temperature',
    name: 'Temperature',
    words: 'Higher is more varied.',
    group: 'parameters',
    kind: 'number',
  },
  {
    key: 'api.reasoning.effort',
    name: 'Reasoning effort',
    words: 'How long the model thinks first. Cannot be combined with a budget.',
    group: 'parameters',
    kind: 'choice',
    choices: ['xhigh', 'high', 'medium', 'low', 'minimal', 'none'],
    fallback: 'medium',
  },
  {
    key: 'auto_compact',
    name: 'Summarize automatically',
    words: 'Earlier messages are summarized for the model; the transcript keeps them.',
    group: 'compaction',
    kind: 'flag',
    fallback: 'false',
  },
  {
    key: 'storage.partition_max_entries',
    name: 'Entries per partition',
    words: 'A full partition is archived, and a new one begins.',
    group: 'storage',
    kind: 'number',
    fallback: '1000',
  },
  {
    key: 'lock_heartbeat_seconds',
    name: 'Heartbeat of a lock',
    words: 'Seconds; every program that uses this home must agree on it.',
    group: 'storage',
    kind: 'number',
    fallback: '30',
    isOfContexts: false,
  },
]

/** What a test says of the files at first, and may look at while the window is open. */
export interface MemoryConfig {
  readonly handlers: Pick<Handlers<Contract['settings']>, 'config' | 'setValue'>
  /** What stands in each file, by key, as text. */
  readonly files: Readonly<Record<ConfigFile, Map<string, string>>>
}

/** Two files in memory; `broken` makes config.toml one that nothing is used of. */
export function createMemoryConfig(broken = false): MemoryConfig {
  const files = {
    'config.toml': new Map([
      ['username', 'mira'],
      ['context_window_limit', '128000'],
      ['file_tools_allowed_paths', '~/notes\n/srv/plans'],
    ]),
    'local.toml': new Map([['fuel', '25']]),
  }
  const lines = (file: ConfigFile) => [...files[file].keys()]
  const offerIn = (file: ConfigFile, key: string): ConfigOffer | undefined => {
    const value = files[file].get(key)
    if (value === undefined || (broken && file === 'config.toml')) return undefined
    return { origin: file, where: `${file}:${lines(file).indexOf(key) + 1}`, value }
  }

  function view(isOfContext: boolean): ConfigView {
    const values = known.map((each): ConfigValue => {
      const { key, fallback } = each
      const inLocal = isOfContext ? offerIn('local.toml', key) : undefined
      const inConfig = offerIn('config.toml', key)
      // The model's own table stands over the home's `[api]`, as chibi has it.
      const ofModel: ConfigOffer | undefined =
        key === 'api.temperature'
          ? { origin: 'models.toml', where: 'models.toml:17', value: '0.2' }
          : undefined
      const byDefault: ConfigOffer | undefined =
        fallback === undefined
          ? undefined
          : { origin: 'default', where: 'default', value: fallback }
      const offers = [inLocal, ofModel, inConfig, byDefault].filter((one) => one !== undefined)
      return {
        isOfContexts: true,
        ...each,
        ...(offers[0] === undefined ? {} : { used: offers[0] }),
        offers,
        ...(inConfig === undefined ? {} : { inConfig }),
        ...(inLocal === undefined ? {} : { inLocal }),
      }
    })
    return {
      values,
      faults: broken
        ? [{ file: 'config.toml', line: 2, message: brokenWords }]
        : [
            {
              file: 'config.toml',
              line: 18,
              key: 'api.reasoning.effort',
              message:
                'api.reasoning.effort must be one of xhigh, high, medium, low, minimal, none; it is not used. Used instead: medium (default).',
            },
          ],
      broken: broken ? [{ file: 'config.toml', message: brokenWords }] : [],
    }
  }

  return {
    files,
    handlers: {
      config: async ({ key }) => view(key !== undefined),
      async setValue({ key, value, file, context }) {
        const { kind } = known.find((each) => each.key === key) ?? {}
        if (kind === 'number' && value !== null && !/^\d+(\.\d+)?$/.test(value))
          throw new AppError('bad-argument', `${key} must be a whole number of at least 0.`)
        if (value === null) files[file].delete(key)
        else files[file].set(key, value)
        return view(context !== undefined)
      },
    },
  }
}

const brokenWords = 'Line 2 is not TOML (invalid value); config.toml is ignored.'
