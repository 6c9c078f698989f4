import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import type { RunSettings } from '../../../../src/main/settings/config/run-settings'
import { openSettings, type Settings } from '../../../../src/main/settings/settings'
import { tempFolders } from '../../../support/temp-folder'

const folder = tempFolders()
let home: string
let settings: Settings
beforeEach(() => {
  home = path.join(folder(), 'home')
  mkdirSync(path.join(home, 'contexts', 'garden'), { recursive: true })
  settings = settingsOf(home)
})

function settingsOf(where: string): Settings {
  return openSettings({
    disk: nodeDisk,
    home: where,
    folder: path.join(where, '..', 'user'),
    vault: { strength: () => 'none', get: async () => undefined, set: async () => undefined },
    environment: {},
  })
}

const write = (file: string, text: string) => writeFileSync(path.join(home, file), text)
const local = 'contexts/garden/local.toml'

/** The places of a key, the first that has it counts. */
type Place = 'run' | 'local' | 'local model' | 'config model' | 'models.toml' | 'config'

/** What is asked for, and what must come of it: by hand, from chibi's rules. */
interface Case {
  readonly key: string
  readonly places: readonly Place[]
  /** One value for each place, as in TOML. */
  readonly values: readonly string[]
  readonly read: (run: RunSettings) => unknown
  readonly fallback: unknown
}

const ofFiles: readonly Place[] = ['run', 'local', 'config']
const ofParameters: readonly Place[] = [
  'run',
  'local',
  'local model',
  'config model',
  'models.toml',
  'config',
]
const flags = ['false', 'true', 'false', 'true', 'false', 'true']
const counts = ['11', '12', '13', '14', '15', '16']
const shares = ['0.1', '0.2', '0.3', '0.4', '0.5', '0.6']

const cases: readonly Case[] = [
  ...(
    [
      ['no_tool_calls', ['true', 'false', 'true'], (run) => run.noToolCalls, false],
      ['fuel', counts, (run) => run.fuel, 30],
      ['fuel_empty_response_cost', counts, (run) => run.fuelEmptyResponseCost, 15],
      [
        'fallback_tool',
        ['"call_agent"', '"call_user"', '"call_agent"'],
        (run) => run.fallbackTool,
        'call_user',
      ],
      ['tool_output_cache_threshold', counts, (run) => run.toolOutputCacheThreshold, 4000],
      ['tool_cache_preview_chars', counts, (run) => run.toolCachePreviewChars, 500],
      ['reflection_enabled', ['false', 'true', 'false'], (run) => run.reflectionEnabled, true],
      ['reflection_character_limit', counts, (run) => run.reflectionCharacterLimit, 10_000],
      ['warn_threshold_percent', shares, (run) => run.warnThresholdPercent, 80],
      ['auto_compact', ['true', 'false', 'true'], (run) => run.autoCompact, false],
      ['auto_compact_threshold', ['70.5', '71', '72.0'], (run) => run.autoCompactThreshold, 80],
      ['rolling_compact_drop_percentage', counts, (run) => run.rollingCompactDropPercentage, 50],
      [
        'file_tools_allowed_paths',
        ['["/run"]', '["/local"]', '["/config"]'],
        (run) => run.allowedPaths,
        [],
      ],
    ] satisfies readonly (readonly [string, readonly string[], Case['read'], unknown])[]
  ).map(([key, values, read, fallback]) => ({ key, places: ofFiles, values, read, fallback })),
  {
    key: 'context_window_limit',
    places: ['run', 'local', 'models.toml', 'config'],
    values: counts,
    read: (run) => run.contextWindowLimit,
    fallback: 0,
  },
  ...(
    [
      ['temperature', shares, (run) => run.api.temperature, undefined],
      ['max_tokens', counts, (run) => run.api.max_tokens, undefined],
      ['top_p', shares, (run) => run.api.top_p, undefined],
      ['stop', counts.map((count) => `["${count}", "\\n"]`), (run) => run.api.stop, undefined],
      [
        'frequency_penalty',
        shares.map((share) => `-${share}`),
        (run) => run.api.frequency_penalty,
        undefined,
      ],
      ['presence_penalty', shares, (run) => run.api.presence_penalty, undefined],
      ['seed', counts, (run) => run.api.seed, undefined],
      ['parallel_tool_calls', flags, (run) => run.api.parallel_tool_calls, true],
      ['prompt_caching', flags, (run) => run.api.cache_prompt, true],
      [
        'tool_choice',
        [
          '"none"',
          '"auto"',
          '"required"',
          '{ type = "function", function = { name = "a" } }',
          '"none"',
          '"auto"',
        ],
        (run) => run.api.tool_choice,
        undefined,
      ],
      [
        'response_format',
        counts.map((count) => `{ type = "json_schema", json_schema = { name = "n${count}" } }`),
        (run) => run.api.response_format,
        undefined,
      ],
      [
        'reasoning.effort',
        ['"low"', '"high"', '"none"', '"xhigh"', '"minimal"', '"low"'],
        (run) => run.api.reasoning?.effort,
        'medium',
      ],
      ['reasoning.max_tokens', counts, (run) => run.api.reasoning?.max_tokens, undefined],
      ['reasoning.exclude', flags, (run) => run.api.reasoning?.exclude, undefined],
      ['reasoning.enabled', flags, (run) => run.api.reasoning?.enabled, undefined],
    ] satisfies readonly (readonly [string, readonly string[], Case['read'], unknown])[]
  ).map(([key, values, read, fallback]) => ({
    key: `api.${key}`,
    places: ofParameters,
    values,
    read,
    fallback,
  })),
]

/** TOML's values that these tests use, as JSON has them. */
function plain(toml: string): unknown {
  return JSON.parse(toml.replace(/(\w+) = /g, '"$1": '))
}

/** Writes each value to its place; files begin with their model, so that every value has a line of its own. */
function lay(
  key: string,
  at: ReadonlyMap<Place, string>,
): Readonly<Record<string, unknown>> | undefined {
  const name = key.replace(/^api\./, '')
  const line = (place: Place, text: string) => {
    const value = at.get(place)
    return value === undefined ? '' : `${text} = ${value}\n`
  }
  write(
    'config.toml',
    `model = "some/m.1"\n${line('config', key)}# c\n${line('config model', `models."some/m.1".api.${name}`)}models."other".api.seed = 99\n`,
  )
  write(
    local,
    `# mine\n${line('local', key)}\n${line('local model', `models."some/m.1".api.${name}`)}`,
  )
  write(
    'models.toml',
    `[models."some/m.1"]\n${line('models.toml', key === 'context_window_limit' ? 'context_window' : key)}`,
  )
  const run = at.get('run')
  return run === undefined ? undefined : { [key]: plain(run) }
}

describe('a run’s values', () => {
  it.each(cases)(
    '$key: the first place that has it counts, of all that may have it',
    async ({ key, places, values, read, fallback }) => {
      for (let subset = 0; subset < 2 ** places.length; subset++) {
        const at = new Map(
          places.flatMap((place, index) =>
            subset & (2 ** index) ? [[place, values[index] ?? ''] as const] : [],
          ),
        )
        const isLast = places.slice(places.length - at.size).every((place) => at.has(place))
        // Any two tell which of them comes first; the last ones together, where it is found.
        if (at.size > 2 && !isLast) continue
        const run = lay(key, at)
        const first = places.find((place) => at.has(place))
        const wanted = first === undefined ? fallback : plain(at.get(first) ?? '')
        const found = await settings.runSettings('garden', { values: run })
        expect([...at.keys(), read(found)]).toEqual([...at.keys(), wanted])
        const wire = key === 'api.prompt_caching' ? 'cache_prompt' : (key.split('.')[1] ?? '')
        if (key.startsWith('api.'))
          expect(found.apiAsked.has(wire as keyof RunSettings['api'])).toBe(first !== undefined)
        if (run !== undefined || !isLast) continue
        const view = await settings.config('garden')
        const value = view.values.find((each) => each.key === key)
        expect([view.faults, value?.used?.where]).toEqual([[], whereOf(first, at, fallback)])
        expect(value?.inConfig?.where).toBe(at.has('config') ? 'config.toml:2' : undefined)
        expect(value?.inLocal?.where).toBe(at.has('local') ? 'local.toml:2' : undefined)
        expect(value?.offers.length).toBe(
          at.size + (fallback === undefined || Array.isArray(fallback) ? 0 : 1),
        )
      }
    },
  )

  /** The file and line, by how `lay` writes them. */
  function whereOf(first: Place | undefined, at: ReadonlyMap<Place, string>, fallback: unknown) {
    switch (first) {
      case 'local':
        return 'local.toml:2'
      case 'local model':
        return `local.toml:${at.has('local') ? 4 : 3}`
      case 'config model':
        return `config.toml:${at.has('config') ? 4 : 3}`
      case 'models.toml':
        return 'models.toml:2'
      case 'config':
        return 'config.toml:2'
      default:
        return fallback === undefined || Array.isArray(fallback) ? undefined : 'default'
    }
  }

  it('have an effort or a budget of reasoning, whichever the upper place has', async () => {
    const reasoning = async (config: string, own: string) => {
      write('config.toml', config)
      write(local, own)
      return (await settings.runSettings('garden')).api.reasoning
    }
    const budget = '[api.reasoning]\nmax_tokens = 2000\n'
    const effort = '[api.reasoning]\neffort = "low"\n'
    expect(await reasoning(budget, '')).toEqual({ max_tokens: 2000 })
    expect(await reasoning(budget, effort)).toEqual({ effort: 'low' })
    expect(await reasoning(effort, `${budget}exclude = true\n`)).toEqual({
      max_tokens: 2000,
      exclude: true,
    })
    expect(await reasoning(`${budget}effort = "low"\n`, '')).toEqual({ max_tokens: 2000 })
    expect((await settings.config('garden')).faults).toEqual([
      {
        file: 'config.toml',
        line: 3,
        key: 'api.reasoning.effort',
        message: expect.stringContaining('are both set; the budget is used.'),
      },
    ])
  })

  it('are for the model that is asked, which the context may have chosen', async () => {
    write('config.toml', 'model = "a"\n[models.a.api]\nseed = 1\n[models.b.api]\nseed = 2\n')
    expect((await settings.runSettings('garden')).api.seed).toBe(1)
    write(local, 'model = "b"\n')
    expect((await settings.runSettings('garden')).api.seed).toBe(2)
    expect((await settings.runSettings()).api.seed).toBe(1)
    expect((await settings.runSettings('garden', { model: 'c' })).api.seed).toBeUndefined()
  })

  it('take names of tools from the upper place, and exclude by all', async () => {
    write('config.toml', '[tools]\ninclude = ["a", "b"]\nexclude = ["x"]\n')
    write(local, '[tools]\ninclude = ["c", "x", "y"]\nexclude = ["y"]\n')
    const { allows } = await settings.runSettings('garden')
    expect(['a', 'b', 'c', 'x', 'y'].filter(allows)).toEqual(['c'])
  })

  it('exclude tools of a kind, by all places', async () => {
    write('config.toml', '[tools]\nexclude_categories = ["coding"]\n')
    write(local, '[tools]\nexclude_categories = ["file", "unknown"]\n')
    const { allows } = await settings.runSettings('garden')
    const names = ['update_todos', 'call_user', 'file_head', 'write_file', 'dir_list', 'of_plugin']
    expect(names.filter(allows)).toEqual(['update_todos', 'call_user', 'of_plugin'])
  })

  it('refuse a run option that is none, in words', async () => {
    await expect(settings.runSettings('garden', { values: { fule: 1 } })).rejects.toMatchObject({
      code: 'bad-argument',
      message: 'There is no setting "fule".',
    })
    await expect(settings.runSettings('garden', { values: { fuel: -1 } })).rejects.toMatchObject({
      message: 'fuel must be a whole number of at least 0.',
    })
    await expect(settings.runSettings('garden', { values: { toString: 1 } })).rejects.toMatchObject(
      {
        code: 'bad-argument',
      },
    )
  })

  it('read no file outside of the contexts, whatever a context is called', async () => {
    write('local.toml', 'fuel = 1\n')
    expect((await settings.runSettings('../..')).fuel).toBe(30)
    expect((await settings.runSettings('codex:abc')).fuel).toBe(30)
  })
})

describe('values that are not what they must be', () => {
  const bad: readonly (readonly [key: string, value: string, expected: string, instead: string])[] =
    [
      ['fuel', '-1', 'a whole number of at least 0', 'Used instead: 30 (default).'],
      ['fuel', '2.5', 'a whole number of at least 0', 'Used instead: 30 (default).'],
      ['fuel', '"many"', 'a whole number of at least 0', 'Used instead: 30 (default).'],
      [
        'fuel',
        '9223372036854775807',
        'a whole number of at least 0',
        'Used instead: 30 (default).',
      ],
      [
        'fallback_tool',
        '"update_todos"',
        'one of call_user, call_agent',
        'Used instead: call_user (default).',
      ],
      ['warn_threshold_percent', '101', 'a number from 0 to 100', 'Used instead: 80 (default).'],
      ['warn_threshold_percent', 'nan', 'a number from 0 to 100', 'Used instead: 80 (default).'],
      ['auto_compact', '"yes"', 'true or false', 'Used instead: false (default).'],
      ['context_window_limit', '[]', 'a whole number of at least 0', 'Used instead: 0 (default).'],
      ['api.temperature', 'inf', 'a number from 0 to 2', 'No value is used instead.'],
      ['api.stop', '["a", 1]', 'a list of texts', 'No value is used instead.'],
      ['api.seed', '1.5', 'a whole number of at least 0', 'No value is used instead.'],
      ['api.tool_choice', '"sometimes"', 'auto, none, required, or {', 'No value is used instead.'],
      [
        'api.response_format',
        '{ type = "xml" }',
        'a table whose type is text',
        'No value is used instead.',
      ],
      ['api.reasoning.effort', '"hgih"', 'one of xhigh, high', 'Used instead: medium (default).'],
      ['api.prompt_caching', '1979-05-27', 'true or false', 'Used instead: true (default).'],
      [
        'lock_heartbeat_seconds',
        '0',
        'a whole number of at least 1',
        'Used instead: 30 (default).',
      ],
      [
        'storage.bytes_per_token',
        'false',
        'a whole number of at least 1',
        'Used instead: 3 (default).',
      ],
    ]

  it.each(bad)(
    '%s = %s is told with its line, and what is used instead',
    async (key, value, expected, instead) => {
      write('config.toml', `# one\n\n${key} = ${value}\n`)
      const { faults } = await settings.config()
      expect(faults).toEqual([
        {
          file: 'config.toml',
          line: 3,
          key,
          message: expect.stringContaining(`${key} must be ${expected}`),
        },
      ])
      expect(faults[0]?.message).toMatch(/; it is not used\. /)
      expect(faults[0]?.message.endsWith(instead)).toBe(true)
      expect((await settings.view()).faults).toEqual(faults)
    },
  )

  it('give way to the place below, which is named', async () => {
    write('config.toml', 'fuel = 12\n')
    write(local, '\n\nfuel = "x"\n')
    expect((await settings.config('garden')).faults).toEqual([
      {
        file: 'contexts/garden/local.toml',
        line: 3,
        key: 'fuel',
        message:
          'fuel must be a whole number of at least 0; it is not used. Used instead: 12 (config.toml:1).',
      },
    ])
    expect((await settings.runSettings('garden')).fuel).toBe(12)
  })

  it('are told for the tables of models too, in every file', async () => {
    write('config.toml', 'model = "m"\n[models."m".api]\nseed = "x"\n[models."x/y"]\napi = 5\n')
    write(
      'models.toml',
      'models.m.context_window = -1\n[models.m.api]\ntop_p = 2\n[models.z]\napi.seed = 1.5\n',
    )
    expect(
      (await settings.config()).faults.map(({ file, line, key }) => [file, line, key]),
    ).toEqual([
      ['config.toml', 3, 'models.m.api.seed'],
      ['config.toml', 5, 'models."x/y".api'],
      ['models.toml', 1, 'models.m.context_window'],
      ['models.toml', 3, 'models.m.api.top_p'],
      ['models.toml', 5, 'models.z.api.seed'],
    ])
  })

  it('are told where a table is none', async () => {
    write('config.toml', 'api = 5\nmodels = 6\nstorage = "x"\n[[tools]]\na = 1\n')
    const { faults } = await settings.config()
    expect(faults.map(({ line, key }) => [line, key])).toEqual([
      [1, 'api'],
      [2, 'models'],
      [3, 'storage'],
      [4, 'tools'],
    ])
    expect((await settings.runSettings()).fuel).toBe(30)
  })

  it('cost a whole file where a line is no TOML: that line is named, and nothing of the file used', async () => {
    write('config.toml', 'fuel = 12\n')
    write(local, 'fuel = 5\nfile_tools_allowed_paths = ["/a"\nfuel = 6\n')
    write('models.toml', '[models.\n')
    const view = await settings.config('garden')
    expect(view.broken).toEqual([
      { file: 'local.toml', message: expect.stringContaining('is ignored') },
    ])
    expect(view.faults.map(({ file, line }) => [file, line])).toEqual([
      ['contexts/garden/local.toml', 3],
      ['models.toml', 1],
    ])
    expect((await settings.runSettings('garden')).fuel).toBe(12)
  })

  it('allow no folder where the context’s file is broken: it may have allowed less', async () => {
    write('config.toml', 'file_tools_allowed_paths = ["/a"]\n')
    expect((await settings.runSettings('garden')).allowedPaths).toEqual(['/a'])
    write(local, 'file_tools_allowed_paths = [\n')
    expect((await settings.runSettings('garden')).allowedPaths).toEqual([])
    write(local, 'file_tools_allowed_paths = "/b"\n')
    expect((await settings.runSettings('garden')).allowedPaths).toEqual([])
  })
})

describe('the homes of chibi’s eras', () => {
  const fixture = (name: string) => {
    const target = path.join(folder(), name)
    cpSync(path.join(import.meta.dirname, '../../../fixtures/chibi', name), target, {
      recursive: true,
    })
    return settingsOf(target)
  }
  const used = async (from: Settings, ...keys: readonly string[]) => {
    const { values, faults } = await from.config('default')
    expect(faults).toEqual([])
    return keys.map((key) => {
      const value = values.find((each) => each.key === key)
      return `${value?.used?.value} ${value?.used?.where}`
    })
  }

  it('0.5: the model’s table in models.toml, with its window', async () => {
    const home05 = fixture('home-v05')
    expect(
      await used(
        home05,
        'model',
        'context_window_limit',
        'warn_threshold_percent',
        'api.temperature',
      ),
    ).toEqual([
      'example/old-model config.toml:2',
      '128000 models.toml:2',
      '80 config.toml:4',
      '0.5 models.toml:5',
    ])
    expect(JSON.stringify(await home05.config('default'))).not.toContain('not-a-real-key')
  })

  it('0.9: the storage of the home and of a context', async () => {
    expect(
      await used(
        fixture('home-v09'),
        'username',
        'context_window_limit',
        'storage.partition_max_entries',
      ),
    ).toEqual(['mira local.toml:1', '8000 config.toml:3', '6 local.toml:4'])
  })

  it('0.10: what Skein does not know is no fault', async () => {
    expect(await used(fixture('home-v010'), 'username', 'fuel')).toEqual([
      'ada config.toml:1',
      '30 default',
    ])
  })
})
