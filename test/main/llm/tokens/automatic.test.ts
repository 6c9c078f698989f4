import { describe, expect, it } from 'vitest'
import type { ProviderEvent } from '../../../../src/main/llm/chat/provider'
import type { Tokenizers } from '../../../../src/main/llm/tokens/counter'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { preparedHome } from '../support/prepared-run'
import { content, finish } from '../support/tool-support'

const temp = tempFolders(memoryFolder)
const says = (text: string): readonly ProviderEvent[] => [content(text), finish()]
const settings = { autoCompact: true, noToolCalls: true }

/** A tokenizer that counts so many tokens for each byte. */
function tokenizersOf(perByte: number) {
  let asked = 0
  const countAll = async (texts: readonly string[]) => {
    asked += texts.length
    return texts.map((text) => Math.ceil(Buffer.byteLength(text) * perByte))
  }
  const tokenizers: Tokenizers = {
    counterFor: () => ({
      countedBy: { by: 'tokenizer', name: 'of the test' },
      countAll,
      count: async (text) => (await countAll([text]))[0] ?? 0,
    }),
  }
  return { tokenizers, asked: () => asked }
}

/** A conversation of four questions with answers, of so many characters each. */
async function talked(characters: number) {
  const home = preparedHome(temp())
  for (let n = 1; n <= 4; n++)
    await home.play([says(`Answer ${n}. ${'x'.repeat(characters)}`)], {
      text: `Question ${n}? ${'x'.repeat(characters)}`,
    })
  return home
}

async function phasesOf(
  characters: number,
  tokenizers: Tokenizers | undefined,
  contextWindowLimit = 1000,
) {
  const home = await talked(characters)
  const scripts = [says('I choose [1, 2, 3].'), says('They asked.'), says('Fine.')]
  const { events } = await home.play(scripts, {
    text: 'And now?',
    settings: { ...settings, contextWindowLimit },
    deps: { tokenizers },
  })
  const phases = events.flatMap((event) => (event.type === 'compaction' ? [event] : []))
  return { phases: phases.map(({ phase }) => phase), last: phases.at(-1) }
}

describe('automatic compaction', () => {
  it('comes by the tokenizer where that counts more than the estimate, and makes enough room by it', async () => {
    expect((await phasesOf(100, undefined)).phases).toEqual([])
    const { tokenizers, asked } = tokenizersOf(1)
    const { phases, last } = await phasesOf(100, tokenizers)
    expect(phases).toEqual(['choosing', 'summarizing', 'done'])
    expect(last?.tokens).toBeLessThan(800)
    expect(asked()).toBeGreaterThan(8)
  })

  it('comes by the estimate where the tokenizer counts less', async () => {
    const { phases } = await phasesOf(300, tokenizersOf(0.01).tokenizers)
    expect(phases).toEqual(['choosing', 'summarizing', 'done'])
  })

  it('does not count what cannot come near the threshold', async () => {
    const { tokenizers, asked } = tokenizersOf(1)
    expect((await phasesOf(100, tokenizers, 3000)).phases).toEqual([])
    expect(asked()).toBe(0)
  })
})
