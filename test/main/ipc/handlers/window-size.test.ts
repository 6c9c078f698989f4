import { describe, expect, it } from 'vitest'
import { windowSizeHandlers } from '../../../../src/main/ipc/handlers/window-size'
import { windowSizeContract } from '../../../../src/shared/ipc/runs/window-size'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'

const handlers = windowSizeHandlers(() => ({
  sizeOfRequest: async (context) => ({
    system: 10,
    history: context.length,
    tools: 3,
    attachments: 1100,
    total: 1119,
    guarded: 1200,
    limit: undefined,
    countedBy: { by: 'tokenizer', name: 'o200k_base' },
    warnPercent: 80,
    compactPercent: undefined,
  }),
  sizeOfDraft: async (context, text, images) => context.length + text.length + images,
}))

describe('window size calls', () => {
  it('tell what the contract promises, of a context by its name', async () => {
    const key = LibraryKey.parse('garden')
    const told = await handlers.of({ key })
    expect(windowSizeContract.of.result.parse(told)).toEqual(told)
    expect(told).toMatchObject({
      key,
      parts: { system: 10, history: 6, tools: 3, attachments: 1100 },
      total: 1119,
      guarded: 1200,
      limit: null,
      compactPercent: null,
    })
    expect(await handlers.draft({ key, text: 'words', images: 2 })).toBe(13)
  })

  it('refuse another system’s conversation', async () => {
    const key = LibraryKey.parse('cycod:chat-1')
    await expect(handlers.of({ key })).rejects.toMatchObject({ code: 'bad-argument' })
    await expect(
      Promise.resolve().then(() => handlers.draft({ key, text: '', images: 0 })),
    ).rejects.toMatchObject({ code: 'bad-argument' })
  })
})
