import type { Contract } from '../../../src/shared/ipc/contract'
import type { Handlers } from '../../../src/shared/ipc/wire/primitives'
import { AppError } from '../../../src/shared/model/basics/errors'
import type { TranscriptRow } from '../../../src/shared/model/conversation/transcript'
import { answerFollower, sumUsage } from '../../../src/shared/model/run/usage'
import type {
  ModelInfo,
  Provider,
  ProvidersView,
} from '../../../src/shared/model/settings/model-info'
import type { VisibleSettings } from '../../../src/shared/model/settings/settings'
import type { AllEmitters } from '../../support/memory-api'

/** What a test sees of the choices that were made. */
export interface MemoryModels {
  readonly choices: readonly {
    readonly key?: string
    readonly baseUrl: string
    readonly model: string
  }[]
  /** Base URLs that were asked, in order. */
  readonly asked: readonly string[]
  /** Keys that were entered: the id of the provider, and how long the key is. */
  readonly keys: readonly string[]
}

const openRouter = 'https://openrouter.ai/api/v1'
const openAi = 'https://api.openai.com/v1'

/** Thousands, some of them with names that somebody made up to harm. */
const models: readonly ModelInfo[] = [
  {
    id: 'anthropic/claude-sonnet-4.5',
    name: 'Anthropic: Claude Sonnet 4.5',
    contextLength: 1_000_000,
    price: { input: 0.000003, output: 0.000015 },
  },
  {
    id: 'qwen/qwen3-14b:free',
    name: 'Qwen3 14B (free)',
    contextLength: 40_960,
    price: { input: 0, output: 0 },
  },
  { id: 'openrouter/auto', name: 'Auto Router' },
  { id: 'evil/<img src=x onerror="window.hacked=1">', name: `\u202egnorw ${'w'.repeat(240)}` },
  ...Array.from({ length: 3000 }, (_, at) => ({
    id: `maker-${at % 40}/model-${at}`,
    contextLength: 8192 * ((at % 20) + 1),
    price: { input: 0.0000001 * (at % 90), output: 0.0000004 * (at % 90) },
  })),
]

/** Providers and models in memory. */
export function createMemoryModels(options: {
  readonly settings: () => VisibleSettings
  readonly change: (settings: VisibleSettings) => void
  readonly rowsOf: (key: string) => readonly TranscriptRow[]
  readonly tell: () => AllEmitters
  readonly throwRefusal: () => void
}): { readonly handlers: Handlers<Contract['models']>; readonly controls: MemoryModels } {
  const choices: { key?: string; baseUrl: string; model: string }[] = []
  const asked: string[] = []
  const keys: string[] = []
  let view: ProvidersView = {
    providers: [
      providerOf('openrouter', 'OpenRouter', openRouter, true),
      { ...providerOf('openai', 'OpenAI', openAi, false), adapted: ['o1-mini', 'o1\u202e'] },
    ],
    recent: [{ baseUrl: openRouter, model: 'maker-3/model-3' }],
  }

  function changed(providers: readonly Provider[]): ProvidersView {
    view = { ...view, providers: [...providers] }
    options.tell().models.changed(view)
    return view
  }
  const find = (id: string): Provider => {
    const found = view.providers.find((one) => one.id === id)
    if (found === undefined) throw new AppError('not-found', 'This provider no longer exists.')
    return found
  }
  const replaced = (id: string, more: Partial<Provider>) =>
    changed(view.providers.map((one) => (one.id === find(id).id ? { ...one, ...more } : one)))

  const handlers: Handlers<Contract['models']> = {
    providers: async () => view,
    addProvider: async ({ name, baseUrl }) => {
      options.throwRefusal()
      if (view.providers.some((one) => one.name === name))
        throw new AppError('exists', `A provider named "${name}" already exists.`)
      const provider = providerOf(`named-${view.providers.length}`, name, baseUrl, false)
      return changed([...view.providers, { ...provider, kind: 'named' }])
    },
    renameProvider: async ({ id, name }) => replaced(id, { name }),
    removeProvider: async ({ id }) => changed(view.providers.filter((one) => one.id !== id)),
    setProviderKey: async ({ id, key, allowWeak }) => {
      if (key !== null && options.settings().keychain !== 'strong' && !allowWeak)
        throw new AppError('weak-keychain', 'This system does not protect stored secrets.')
      if (key !== null) keys.push(`${id}: ${key.length}`)
      const { key: before } = find(id)
      return replaced(id, {
        key: {
          ...before,
          present: key !== null,
          isOwn: key !== null,
          ...(key === null
            ? {}
            : { hint: `${key.slice(0, 6)}…${key.slice(-4)}`, where: 'keychain' }),
        },
      })
    },
    setProviderProtocol: async ({ id, protocol }) => {
      find(id)
      return changed(view.providers.map((one) => (one.id === id ? { ...one, protocol } : one)))
    },
    forgetConcessions: async ({ id }) => {
      const { adapted: _, ...plain } = find(id)
      return changed(view.providers.map((one) => (one.id === id ? plain : one)))
    },
    setProviderTimeouts: async ({ id, timeouts }) => {
      const { timeouts: _, ...plain } = find(id)
      return changed(
        view.providers.map((one) =>
          one.id === id ? (timeouts === null ? plain : { ...plain, timeouts }) : one,
        ),
      )
    },
    list: async ({ baseUrl, freshness }) => {
      if (freshness !== 'kept') asked.push(baseUrl)
      if (baseUrl === openRouter)
        return { baseUrl, models: [...models], fetchedAt: Date.now() - 3 * 3_600_000 }
      if (baseUrl.includes('127.0.0.1'))
        return { baseUrl, models: [{ id: 'qwen3:14b' }], fetchedAt: Date.now() }
      return {
        baseUrl,
        models: [],
        fetchedAt: null,
        failure: `${new URL(baseUrl).origin} cannot be reached. Check the address and your connection.`,
      }
    },
    choose: async ({ key, baseUrl, model }) => {
      options.throwRefusal()
      choices.push({ ...(key === undefined ? {} : { key }), baseUrl, model })
      const origin =
        key === undefined
          ? ({ origin: 'settings', where: 'Settings' } as const)
          : ({ origin: 'local.toml', where: 'local.toml:1' } as const)
      const settings = {
        ...options.settings(),
        provider: 'endpoint' as const,
        model: { value: model, ...origin },
        baseUrl: { value: baseUrl, ...origin },
      }
      options.change(settings)
      options.tell().settings.changed(settings)
      return settings
    },
    prices: async ({ models: wanted }) =>
      wanted
        .filter((model) => model === 'claude-sonnet-4.5')
        .map((model) => ({
          model,
          price: { input: 0.000003, output: 0.000015 },
          baseUrl: openRouter,
        })),
    usage: async ({ key }) => {
      const follow = answerFollower()
      const answers = options.rowsOf(key).flatMap((row) => {
        const answer = row.type === 'entry' ? follow(row.entry) : undefined
        return answer === undefined ? [] : [answer]
      })
      return sumUsage(answers, new Map())
    },
  }
  return { handlers, controls: { choices, asked, keys } }
}

function providerOf(id: string, name: string, baseUrl: string, present: boolean): Provider {
  return {
    id,
    name,
    baseUrl,
    kind: 'built-in',
    key: {
      present,
      isOwn: present,
      isNeeded: true,
      ...(present ? { hint: 'sk-or-…7f3c', where: 'keychain' } : {}),
    },
  }
}
