import fs from 'node:fs'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { continuingHandlers } from '../../../../../src/main/ipc/handlers/conversations/continuing'
import type { NativeQuestion } from '../../../../../src/main/permission/question'
import { AppError } from '../../../../../src/shared/model/basics/errors'
import { LibraryKey } from '../../../../../src/shared/model/conversation/conversation'
import { bundled } from '../../../../support/bundled'
import { openTestHome } from '../../../../support/home'
import { tempFolders } from '../../../../support/temp-folder'

const temp = tempFolders()
const countWorker = bundled('src/main/library/count/count.worker.ts')
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const cycod = path.join(__dirname, '../../../../fixtures/readers/cycod/input')
const key = LibraryKey.parse('cycod:chat-history-1754437000000')

/** The window's calls over a folder of cycod and one of pi; a person answers each question so. */
async function handlersWhere(answer: 'allowed' | 'denied') {
  const pi = temp()
  fs.mkdirSync(path.join(pi, 'sessions'))
  const home = await openTestHome(temp(), {
    roots: [
      { source: 'cycod', path: cycod },
      { source: 'pi', path: pi },
    ],
    workers: { count: countWorker() },
  })
  closers.push(() => home.close())
  const asked: NativeQuestion[] = []
  const handlers = continuingHandlers(
    () => home,
    {
      async require(question, kept) {
        asked.push(question)
        if (answer === 'denied') throw new AppError('denied', kept)
      },
    },
    { shown: (file) => file },
  )
  return { handlers, asked, pi }
}

it('writes the file that the question named, and gives the command that goes on with it', async () => {
  const { handlers, asked } = await handlersWhere('allowed')
  const saved = await handlers.save({ key, format: 'pi' })
  expect(asked.map(({ message }) => message)).toEqual(['Write a new session for pi?'])
  expect(asked[0]?.detail).toContain(`New file:\n${saved.file}\n`)
  expect(fs.statSync(saved.file).size).toBe(saved.bytes)
  expect(saved.command).toContain(`pi --session ${saved.file}`)
})

it('writes nothing where a person refuses', async () => {
  const { handlers, pi } = await handlersWhere('denied')
  await expect(handlers.save({ key, format: 'pi' })).rejects.toMatchObject({
    code: 'denied',
    message: 'Nothing was written.',
  })
  expect(fs.readdirSync(path.join(pi, 'sessions'))).toEqual([])
})

it('says why a conversation has no command', async () => {
  const { handlers } = await handlersWhere('allowed')
  await expect(handlers.command({ key })).rejects.toMatchObject({ code: 'bad-argument' })
})
