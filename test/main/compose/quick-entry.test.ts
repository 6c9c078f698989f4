import { expect, it } from 'vitest'
import { openQuickEntry } from '../../../src/main/compose/quick-entry'
import { QuickMessage, type QuickView } from '../../../src/shared/ipc/app/quick'
import { quiet } from '../../support/quiet'

const rest: Omit<QuickView, 'draft'> = {
  begins: { model: 'm' },
  theme: 'system',
  contrast: 'system',
  textZoom: 1,
}
const message = (text: string) => QuickMessage.parse({ text })

function quickOf(options: { readonly draft?: string; readonly hasHome?: boolean } = {}) {
  const done: string[] = []
  const shown: QuickView[] = []
  let isShown = false
  const quick = openQuickEntry({
    window: {
      show: () => {
        isShown = true
      },
      hide: () => {
        isShown = false
      },
      isShown: () => isShown,
    },
    view: async () => rest,
    draft: async () => options.draft,
    keepDraft: async (text) => void done.push(`kept ${JSON.stringify(text)}`),
    hasHome: () => options.hasHome ?? true,
    handOver: () => void done.push('handed over'),
    shown: (view) => void shown.push(view),
    note: (error) => void done.push(`noted ${error}`),
  })
  return { quick, done, shown, isShown: () => isShown }
}

it('is shown with the draft of before, and hidden by the same key', async () => {
  const { quick, shown, isShown } = quickOf({ draft: 'Half' })
  quick.toggle()
  await quiet()
  expect([isShown(), shown]).toEqual([true, [{ ...rest, draft: 'Half' }]])
  quick.toggle()
  expect(isShown()).toBe(false)
  await quick.keep('Half a thought')
  quick.show()
  await quiet()
  expect(shown.at(-1)?.draft).toBe('Half a thought')
})

it('keeps its text and stays until the app window has taken the message, each message once and in order', async () => {
  const { quick, done, isShown } = quickOf()
  quick.show()
  const sent = [quick.send(message('first')), quick.send(message('second'))]
  await quiet()
  expect([isShown(), done]).toEqual([true, ['handed over', 'handed over']])

  expect(quick.take()).toEqual({ text: 'first' })
  await sent[0]
  expect([isShown(), done.at(-1)]).toEqual([false, 'kept ""'])
  expect(quick.take()).toEqual({ text: 'second' })
  await sent[1]
  expect(quick.take()).toBeUndefined()
})

it('refuses a message while no home is open, and keeps it', async () => {
  const { quick, done, isShown } = quickOf({ draft: 'x', hasHome: false })
  quick.show()
  await expect(quick.send(message('x'))).rejects.toMatchObject({ code: 'not-found' })
  expect([isShown(), done, quick.take()]).toEqual([true, [], undefined])
})

it('takes no message that says nothing, or is longer than any', () => {
  expect(QuickMessage.safeParse({ text: ' \n' }).success).toBe(false)
  expect(QuickMessage.safeParse({ text: 'x'.repeat(200_001) }).success).toBe(false)
})
