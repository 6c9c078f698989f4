import path from 'node:path'
import { z } from 'zod'
import { countWithNoun } from '../../shared/model/basics/plural'
import { wellFormed } from '../../shared/model/basics/well-formed'
import type { Disk } from '../disk/interface/disk'
import { replaceFile } from '../disk/writing/atomic'
import { makeDurableFolder } from '../disk/writing/durable-folder'
import { contextPaths } from '../store/paths'
import { defineTool, ToolRefusal } from './base/define-tool'
import type { Tool } from './base/tool'

/** Largest note: each is in every request's system prompt, and a larger one is a mistake. */
const mostNoteBytes = 1024 * 1024

interface NotesPlace {
  readonly disk: Disk
  readonly home: string
  readonly context: string
  /** chibi's reflection_character_limit, which counts bytes. */
  readonly reflectionLimitBytes: number
}

/** Returns update_todos, update_goals and update_reflection: each replaces a whole note, durably. */
export function notesTools(place: NotesPlace): readonly Tool[] {
  const { disk, home, context, reflectionLimitBytes } = place
  const { folder } = contextPaths(home, context)
  const contentArg = (what: string) =>
    z.strictObject({ content: z.string().describe(`The whole new ${what}, in Markdown`) })
  return [
    defineTool({
      name: 'update_todos',
      description: 'Replaces the list of what is to be done in this conversation.',
      effect: 'notes',
      args: contentArg('list'),
      run: ({ content }) => write(disk, path.join(folder, 'todos.md'), content, mostNoteBytes),
    }),
    defineTool({
      name: 'update_goals',
      description: 'Replaces the goals of this conversation.',
      effect: 'notes',
      args: contentArg('goals'),
      run: ({ content }) => write(disk, path.join(folder, 'goals.md'), content, mostNoteBytes),
    }),
    defineTool({
      name: 'update_reflection',
      description:
        'Replaces the reflection: what should be remembered in every conversation of this home.',
      effect: 'notes',
      args: contentArg('reflection'),
      async run({ content }) {
        const prompts = path.join(home, 'prompts')
        const file = path.join(prompts, 'reflection.md')
        checkSize(content, reflectionLimitBytes)
        await makeDurableFolder(disk, prompts)
        return write(disk, file, content, reflectionLimitBytes)
      },
    }),
  ]
}

async function write(disk: Disk, file: string, content: string, limit: number): Promise<string> {
  const text = wellFormed(content)
  checkSize(text, limit)
  const bytes = Buffer.from(text)
  await replaceFile(disk, file, bytes)
  return `${path.basename(file)} is written: ${countWithNoun(bytes.length, 'byte')}.`
}

function checkSize(content: string, limit: number): void {
  const bytes = Buffer.byteLength(wellFormed(content))
  if (bytes > limit)
    throw new ToolRefusal(
      `the content has ${countWithNoun(bytes, 'byte')}, more than the limit of ${countWithNoun(limit, 'byte')}; nothing was written`,
    )
}
