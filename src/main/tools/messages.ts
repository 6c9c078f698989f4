import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { z } from 'zod'
import { AppError } from '../../shared/model/basics/errors'
import { wellFormedJson } from '../../shared/model/basics/well-formed'
import { contextNameFault } from '../../shared/model/conversation/conversation'
import type { Disk, FileStat } from '../disk/interface/disk'
import { namesInFolder } from '../disk/reading/read'
import { appendDurably } from '../disk/writing/append'
import {
  type ContextPaths,
  contextPaths,
  homePaths,
  isContextName,
  mustLieInside,
} from '../store/paths'
import { defineTool, ToolRefusal } from './base/define-tool'
import { escapedLine } from './base/short-text'
import type { Tool } from './base/tool'
import { deliveryAnswers } from './hooks/hook-answers'
import type { Hooks } from './hooks/hooks'

/** A message becomes part of a prompt; more is a file. */
const longestMessage = 200_000
const mostNamed = 20
/** A name; more is no sender. */
const longestSender = 200
/** Half of what an inbox is read up to (16 MB): one that grew beyond could not be delivered any more. In bytes. */
const fullestInbox = 8 * 1024 * 1024

/** A message on its way; chibi's fields. */
interface SentMessage {
  readonly from: string
  readonly to: string
  readonly content: string
}

/** Delivers a message to a context, in place of its inbox. @throws ToolRefusal, DiskError */
export type SendMessage = (message: SentMessage, signal: AbortSignal) => Promise<void>

interface MessagePlace {
  readonly disk: Disk
  readonly home: string
  readonly context: string
  readonly send: SendMessage
  readonly hooks: Hooks
  readonly createContext: CreateContext | undefined
}

/** Makes a new context, whole and durable. @throws AppError `exists`, `bad-argument`, `disk-full`, `io` */
export type CreateContext = (name: string) => Promise<void>

/**
 * Makes send_message, and the way a message goes. A plugin that says that it has delivered one keeps it from the
 * inbox. A context that is not there is made, as by chibi, where the question that the person was asked says so.
 */
export function messageTool(place: MessagePlace): Tool {
  const { disk, home, context, send, hooks, createContext } = place
  /** Contexts of which a person knows that they are created. */
  const announced = new Set<string>()

  /** @throws ToolRefusal, AppError, DiskError */
  async function makeOrRefuse(to: string): Promise<void> {
    if (await isContext(disk, home, to)) return
    if (createContext === undefined || !announced.has(to))
      throw unknownContext(to, await contextsIn(disk, home))
    await createContext(to).catch((error: unknown) => {
      // Somebody else made it in the meantime.
      if (error instanceof AppError && error.code === 'exists') return
      throw error instanceof AppError ? new ToolRefusal(error.message) : error
    })
  }

  return defineTool({
    name: 'send_message',
    description: `Sends a message from this context, "${context}", to another one of this home: it arrives with the next request there.`,
    effect: 'writes',
    args: z.strictObject({
      to: z.string().min(1).describe('Name of the context'),
      content: z.string().min(1).max(longestMessage).describe('Text of the message'),
      from: z
        .string()
        .min(1)
        .max(longestSender)
        .optional()
        .describe('Name of the sender; this context where it is not given'),
    }),
    preview: async ({ to, from = context }) => {
      const sender = from === context ? context : `${context}, in the name of ${escapedLine(from)},`
      const title = `Send a message from ${sender} to ${escapedLine(to)}`
      const isKnown = await isContext(disk, home, to)
      if (isKnown || createContext === undefined || contextNameFault(to) !== undefined)
        return { title, reach: { type: 'home' } }
      announced.add(to)
      return {
        title: `${title}, which creates this context`,
        reach: { type: 'home', creates: to },
      }
    },
    async run({ to, content, from = context }, signal) {
      const message = { from: escapedLine(from), to, content }
      const data = { ...message, context_name: context }
      const by = deliveryAnswers(await hooks.call('pre_send_message', data, signal))
      signal.throwIfAborted()
      if (by === undefined) {
        await makeOrRefuse(to)
        await send(message, signal)
      }
      const deliveryResult =
        by === undefined
          ? `The message waits in the inbox of ${to}: it arrives with the next request there.`
          : `The message was delivered to ${to} by ${escapedLine(by.via)}.`
      // It is sent: a stop of the call must not hide that.
      await hooks.call('post_send_message', { ...data, delivery_result: deliveryResult }, signal)
      return deliveryResult
    },
  })
}

/**
 * Appends a line to a context's inbox.jsonl in chibi's shape, durably; torn bytes are not glued to.
 *
 * Writes the whole line at once. Emptying the inbox moves the file aside first: a line that went into the moved
 * file is written again, and as it has the same id it arrives once. chibi holds a flock meanwhile, which Node has
 * not: a message that arrives between its reading and its emptying of the file is lost with the emptying, a window of
 * microseconds.
 *
 * @throws ToolRefusal where the inbox is full, or leads out of the home; DiskError
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
      throw new ToolRefusal(`the inbox of "${escapedLine(to)}" is full until its next request`)
    await appendDurably(disk, file, bytes)
    const after = await disk.stat(file)
    const wentAside =
      before === undefined ? after === undefined : before.identity !== after?.identity
    if (wentAside) await appendDurably(disk, file, bytes)
  }
}

/** @throws ToolRefusal where what would be written leads out of the home; DiskError */
async function mustStayInside(disk: Disk, home: string, paths: ContextPaths): Promise<void> {
  try {
    await mustLieInside(disk, home, paths)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new ToolRefusal(error.message)
  }
}

/**
 * Resolves to true where there is a context of this name, as the disk has it: where case does not count there, it
 * does for chibi.
 *
 * @throws DiskError
 */
async function isContext(disk: Disk, home: string, name: string): Promise<boolean> {
  const names = (await namesInFolder(disk, homePaths(home).contexts)).filter(isContextName)
  return names.includes(name) && isFolder(await disk.stat(contextPaths(home, name).folder))
}

/** Lists the names of the contexts; an unreadable one is left out. @throws DiskError */
async function contextsIn(disk: Disk, home: string): Promise<readonly string[]> {
  const names = (await namesInFolder(disk, homePaths(home).contexts)).filter(isContextName)
  const stats = await Promise.all(
    names.map((name) => disk.stat(contextPaths(home, name).folder).catch(() => undefined)),
  )
  return names.filter((_, at) => isFolder(stats[at]))
}

function isFolder(stat: FileStat | undefined): boolean {
  return stat?.kind === 'directory'
}

function unknownContext(name: string, known: readonly string[]): ToolRefusal {
  const others = known.length === 0 ? 'there is none' : `there are ${namesOf(known)}`
  return new ToolRefusal(`there is no context "${escapedLine(name)}"; ${others}`)
}

function namesOf(names: readonly string[]): string {
  const shown = [...names].sort().slice(0, mostNamed)
  return `${shown.join(', ')}${names.length > mostNamed ? `, and ${names.length - mostNamed} more` : ''}`
}
