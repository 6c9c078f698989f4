import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import {
  measureContextWindow,
  type WindowSizeDeps,
} from '../../../../src/main/llm/tokens/context-window-size'
import { openTokenizers } from '../../../../src/main/llm/tokens/counter'
import { openLocalCounter } from '../../../../src/main/llm/tokens/questions'
import type { Endpoint } from '../../../../src/main/settings/endpoint/endpoint'
import { openStore } from '../../../../src/main/store/open-store'
import { tempFolders } from '../../../support/temp-folder'
import { preparedHome, preparedSettings } from '../support/prepared-run'

const folder = tempFolders()
const ofTest = { origin: 'default', where: 'test' } as const
const answer = (text: string) => [
  { type: 'content', text } as const,
  { type: 'finish', reason: 'stop' } as const,
]

const endpointOf = (model: string): Endpoint => ({
  provider: 'endpoint',
  model: { value: model, ...ofTest },
  baseUrl: { value: 'https://openrouter.ai/api/v1', ...ofTest },
  username: { value: 'user', ...ofTest },
  faults: [],
})

function measured(home: string, model: string, change: Partial<WindowSizeDeps> = {}) {
  const store = openStore({ home, disk: nodeDisk })
  return measureContextWindow('garden', endpointOf(model), {
    disk: nodeDisk,
    store,
    runSettings: async () => preparedSettings,
    tokenizers: openTokenizers(openLocalCounter(), () => undefined),
    ...change,
  })
}

describe('the size of the next request', () => {
  it('is what the next run really sends, but for its words', async () => {
    const home = preparedHome(folder())
    home.put('prompts/chibi.md', 'You are careful. '.repeat(40))
    home.put('contexts/garden/todos.md', '- [ ] water the beans')
    await home.play([answer('They need water.')], { text: 'How are the beans?' })
    const before = await measured(home.home, 'some/model')
    const { requests } = await home.play([answer('Soon.')], { text: 'And the peas?' })
    const [sent] = requests
    // The request has the person's next message behind what was measured.
    const bytes = (value: object) => Buffer.byteLength(JSON.stringify(value))
    const [system, ...others] = sent?.messages ?? []
    const history = others.slice(0, 2)
    const rounded = (values: readonly object[]) =>
      values.reduce((sum, value) => sum + Math.ceil((bytes(value) + 46) / 4), 0)
    expect(before.system).toBe(rounded(system === undefined ? [] : [system]))
    expect(before.history).toBe(rounded(history))
    const told = (sent?.tools ?? []).map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    }))
    expect(told.length).toBeGreaterThan(5)
    expect(before.tools).toBe(rounded(told))
    expect(before).toMatchObject({ attachments: 0, countedBy: { by: 'estimate' } })
    expect(before.total).toBe(before.system + before.history + before.tools)
    expect(before.guarded).toBe(before.total)
  })

  it('is counted by the model’s tokenizer, and guarded by the larger of count and estimate', async () => {
    const home = preparedHome(folder())
    await home.play([answer('Yes.')], { text: '0123456789abcdef'.repeat(500) })
    const counted = await measured(home.home, 'openai/gpt-5-mini')
    const estimate = await measured(home.home, 'some/model')
    expect(counted.countedBy).toEqual({ by: 'tokenizer', name: 'o200k_base' })
    // Digits and letters in turn: far more tokens than bytes by 4.
    expect(counted.history).toBeGreaterThan(estimate.history)
    expect(counted.guarded).toBe(Math.max(counted.total, estimate.total))
  })

  it('takes the limit of the settings, else the length that the model’s list tells, else none', async () => {
    const { home } = preparedHome(folder())
    const contextLength = async ({ model }: Endpoint) =>
      model.value === 'some/model' ? 128_000 : undefined
    const limited = async () => ({ ...preparedSettings, contextWindowLimit: 5_000 })
    const limit = async (model: string, change: Partial<WindowSizeDeps>) =>
      (await measured(home, model, change)).limit
    expect(await limit('some/model', { contextLength, runSettings: limited })).toBe(5_000)
    expect(await limit('some/model', { contextLength })).toBe(128_000)
    expect(await limit('other/model', { contextLength })).toBeUndefined()
    expect(await limit('some/model', {})).toBeUndefined()
  })

  it('counts tools of plugins that are known, and none where no tool may be called', async () => {
    const { home } = preparedHome(folder())
    const tool = { name: 'weather', description: 'Tells it.', parameters: { type: 'object' } }
    const plain = await measured(home, 'some/model')
    const more = await measured(home, 'some/model', { knownTools: () => [tool] })
    const json = JSON.stringify({ type: 'function', function: tool })
    expect(more.tools - plain.tools).toBe(Math.ceil((json.length + 46) / 4))
    const runSettings = async () => ({ ...preparedSettings, noToolCalls: true })
    expect((await measured(home, 'some/model', { runSettings })).tools).toBe(0)
  })

  it('tells when room is made by itself, and writes nothing', async () => {
    const { home } = preparedHome(folder())
    expect(await measured(home, 'some/model')).toMatchObject({
      warnPercent: 80,
      compactPercent: undefined,
    })
    const runSettings = async () => ({
      ...preparedSettings,
      autoCompact: true,
      autoCompactThreshold: 70,
    })
    expect(await measured(home, 'some/model', { runSettings })).toMatchObject({
      compactPercent: 70,
    })
    await expect(measured(path.join(home, 'none'), 'some/model')).rejects.toMatchObject({
      code: 'not-found',
    })
  })
})
