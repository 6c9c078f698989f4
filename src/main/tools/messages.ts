import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { z } from 'zod'
import { wellFormedJson } from '../../shared/model/well-formed'
import { appendDurably } from '../disk/append'
import type { Disk } from '../disk/disk'
import { isNotFound } from '../disk/read'
import { contextPaths, homePaths, isContextName } from '../store/home'
import { defineTool, Refusal } from './define'
import type { Tool } from './tool'
import { oneLine } from './wording'

/** A message becomes part of a prompt; more is a file. */
const longestMessage = 200_000
const mostNamed = 20

/** Delivers a text to a context, in place of its inbox. @throws Refusal, DiskError */
export type SendMessage = (to: string, text: string, signal: AbortSignal) => Promise<void>

/** send_message, and the way a message goes. */
export function messageTool(disk: Disk, home: string, context: string, send: SendMessage): Tool {
  return defineTool({
    name: 'send_message',
    description:
      'Leaves a message in the inbox of another context of this home, until somebody reads it there.',
    effect: 'writes',
    args: z.strictObject({
      to: z.string().min(1).describe('Name of the context'),
      content: z.string().min(1).max(longestMessage).describe('Text of the message'),
    }),
    preview: async ({ to }) => ({ title: `Send a message from ${context} to ${oneLine(to)}` }),
    async run({ to, content }, signal) {
      await mustBeContext(disk, home, to)
      await send(to, content, signal)
      return `The message waits in the inbox of ${to}.`
    },
  })
}

/**
 * Appends a line to a context's inbox.jsonl in chibi's shape, durably; torn bytes are not glued to.
 *
 * One write of the whole line. chibi holds a flock meanwhile, which Node has not: a message that arrives between its
 * reading and its emptying of the file is lost with the emptying, a window of microseconds.
 *
 * @throws DiskError
 */
export function inboxSender(
  disk: Disk,
  home: string,
  from: string,
  now: () => number,
): SendMessage {
  return async (to, content) => {
    const line = { id: randomUUID(), timestamp: Math.floor(now() / 1000), from, to, content }
    const file = path.join(contextPaths(home, to).folder, 'inbox.jsonl')
    await appendDurably(disk, file, Buffer.from(wellFormedJson(line)))
    await disk.syncFolder(path.dirname(file))
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

async function namesIn(disk: Disk, folder: string): Promise<readonly string[]> {
  try {
    return await disk.list(folder)
  } catch (error) {
    if (isNotFound(error)) return []
    throw error
  }
}
