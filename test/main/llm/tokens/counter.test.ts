import { describe, expect, it } from 'vitest'
import { openTokenizers } from '../../../../src/main/llm/tokens/counter'
import type { TokenQuestion } from '../../../../src/main/llm/tokens/questions'

/** Counts a token for each character, and takes down what it is asked. */
function recorder() {
  const asked: TokenQuestion[] = []
  const notes: string[] = []
  const tokenizers = openTokenizers(
    async (question) => {
      asked.push(question)
      return question.texts.map((text) => text.length)
    },
    (words) => void notes.push(words),
  )
  return { asked, notes, tokenizers }
}

describe('the counter of a model', () => {
  it('asks only for what was not counted before, each text once', async () => {
    const { asked, tokenizers } = recorder()
    const long = 'a long text '.repeat(50)
    const { countAll, countedBy } = tokenizers.counterFor('openai/gpt-5-mini')
    expect(countedBy).toEqual({ by: 'tokenizer', name: 'o200k_base' })
    expect(await countAll([long, 'two', '', long])).toEqual([600, 3, 0, 600])
    // A window that has grown by one message.
    expect(await countAll([long, 'two', 'three'])).toEqual([600, 3, 5])
    expect(asked.map(({ texts }) => texts)).toEqual([[long, 'two'], ['three']])
  })

  it('keeps what another tokenizer counted apart', async () => {
    const { asked, tokenizers } = recorder()
    await tokenizers.counterFor('gpt-4o').count('words')
    await tokenizers.counterFor('gpt-4-turbo').count('words')
    await tokenizers.counterFor('gpt-4.1').count('words')
    expect(asked.map(({ encoding }) => encoding)).toEqual(['o200k_base', 'cl100k_base'])
  })

  it('gives every count of a window that is larger than what it remembers', async () => {
    const { tokenizers } = recorder()
    const texts = Array.from({ length: 25_000 }, (_, at) => 'x'.repeat(at % 7).concat(String(at)))
    const { countAll } = tokenizers.counterFor('gpt-5')
    const lengths = texts.map(({ length }) => length)
    expect(await countAll(texts)).toEqual(lengths)
    expect(await countAll([...texts].reverse())).toEqual([...lengths].reverse())
  })

  it('estimates without asking where the tokenizer is not known', async () => {
    const { asked, tokenizers } = recorder()
    const { countAll, countedBy } = tokenizers.counterFor('anthropic/claude-sonnet-4.5')
    expect(countedBy).toEqual({ by: 'estimate' })
    expect(await countAll(['', 'abcd', 'abcde', 'äöü'])).toEqual([0, 1, 2, 2])
    expect(tokenizers.counterFor(undefined).countedBy).toEqual({ by: 'estimate' })
    expect(asked).toEqual([])
  })

  it('estimates where the thread fails, says so, and asks again the next time', async () => {
    const notes: string[] = []
    let fails = true
    const tokenizers = openTokenizers(
      async ({ texts }) => {
        if (fails) throw new Error('a worker thread ended')
        return texts.map(() => 7)
      },
      (words) => void notes.push(words),
    )
    const { count } = tokenizers.counterFor('gpt-5')
    expect(await count('eight letters are here')).toBe(6)
    expect(notes).toEqual(['tokens are estimated: a worker thread ended'])
    fails = false
    expect(await count('eight letters are here')).toBe(7)
  })
})
