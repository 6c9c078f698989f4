import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { z } from 'zod'
import { AppError } from '../../shared/model/errors'
import { wellFormedJson } from '../../shared/model/well-formed'
import { appendDurably } from '../disk/append'
import type { Disk } from '../disk/disk'
import { namesIn } from '../disk/read'
import { type ContextPaths, contextPaths, homePaths, isContextName } from '../store/home'
import { mustLieInside } from '../store/inside-home'
import { defineTool, Refusal } from './define'
import { deliveryAnswers } from './hook-answers'
import type { Hooks } from './hooks'
import type { Tool } from './tool'
import { oneLine } from './wording'

/** A message becomes part of a prompt; more is a file. */
const longestMessage = 200_000
const mostNamed = 20
/** Half of what an inbox is read up to (16 MB): one that grew beyond could not be delivered any more. In bytes. */
const fullestInbox = 8 * 1024 * 1024

/** A message on its way; chibi's fields. */
interface SentMessage {
  readonly from: string
  readonly to: string
  readonly content: string
}

/** Delivers a message to a context, in place of its inbox. @throws Refusal, DiskError */
export type SendMessage = (message: SentMessage, signal: AbortSignal) => Promise<void>

interface MessagePlace {
  readonly disk: Disk
  readonly home: string
  readonly context: string
  readonly send: SendMessage
  readonly hooks: Hooks
}

/** send_message, and the way a message goes. A plugin that says that it has delivered one keeps it from the inbox. */
export function messageTool({ disk, home, context, send, hooks }: MessagePlace): Tool {
  return defineTool({
    name: 'send_message',
    description: `Sends a message from this context, "${context}", to another one of this home: it arrives with the next request there.`,
    effect: 'writes',
    args: z.strictObject({
      to: z.string().min(1).describe('Name of the context'),
      content: z.string().min(1).max(longestMessage).describe('Text of the message'),
    }),
    preview: async ({ to }) => ({
      title: `Send a message from ${context} to ${oneLine(to)}`,
      reach: { type: 'home' },
    }),
    async run({ to, content }, signal) {
      const message = { from: context, to, content }
      const data = { ...message, context_name: context }
      const by = deliveryAnswers(await hooks.call('pre_send_message', data, signal))
      signal.throwIfAborted()
      if (by === undefined) {
        await mustBeContext(disk, home, to)
        await send(message, signal)
      }
      const told =
        by === undefined
          ? `The message waits in the inbox of ${to}: it arrives with the next request there.`
          : `The message was delivered to ${to} by ${oneLine(by.via)}.`
      // It is sent: whoever stops the call now must still hear of it.
      await hooks.call('post_send_message', { ...data, delivery_result: told }, signal)
      return told
    },
  })
}

/**
 * Appends a line to a context's inbox.jsonl in chibi's shape, durably; torn bytes are not glued to.
 *
 * One write of the whole line. Whoever empties the inbox moves the file aside first: a line that went into the moved file
 * is written again, and as it has the same id it arrives once. chibi holds a flock meanwhile, which Node has not: a message
 * that arrives between its reading and its emptying of the file is lost with the emptying, a window of microseconds.
 *
 * @throws Refusal where the inbox is full, or leads out of the home; DiskError
 */
export function inboxSender(disk: Disk, home: string, now: () => number): SendMessage {
  return async ({ from, to, content }) => {
    const line = { id: randomUUID(), timestamp: Math.floor(now() / 1000), from, to, content }
    const paths = contextPaths(home, to)
    await mustStayInside(disk, home, paths)
    const file = path.join(paths.folder, 'inbox.jsonl')
    const bytes = Buffer.from(wellFormedJson(line))
    const before = await disk.stat(file)
    if ((before?.sizeBytes ?? 0) + bytes.length > fullestInbox)
      throw new Refusal(`the inbox of "${oneLine(to)}" is full until its next request`)
    await appendDurably(disk, file, bytes)
    const after = await disk.stat(file)
    const wentAside =
      before === undefined ? after === undefined : before.identity !== after?.identity
    if (wentAside) await appendDurably(disk, file, bytes)
    await disk.syncFolder(path.dirname(file))
  }
}

/** @throws Refusal where what would be written leads out of the home; DiskError */
async function mustStayInside(disk: Disk, home: string, paths: ContextPaths): Promise<void> {
  try {
    await mustLieInside(disk, home, paths)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new Refusal(error.message)
  }
}

/** The name as it stands on the disk: where case does not count there, it does for chibi. @throws Refusal, DiskError */
async function mustBeContext(disk: Disk, home: string, name: string): Promise<void> {
  const names = (await namesIn(disk, homePaths(home).contexts)).filter(isContextName)
  const folder = names.includes(name) ? await disk.stat(contextPaths(home, name).folder) : undefined
  if (folder?.kind === 'directory') return
  const known = names.length === 0 ? 'there is none' : `there are ${namesOf(names)}`
  throw new Refusal(`there is no context "${oneLine(name)}"; ${known}`)
}

function namesOf(names: readonly string[]): string {
  const shown = [...names].sort().slice(0, mostNamed)
  return `${shown.join(', ')}${names.length > mostNamed ? `, and ${names.length - mostNamed} more` : ''}`
}
