import { z } from 'zod'
import { countWithNoun } from '../../../shared/model/basics/plural'
import { DiskError } from '../../disk/interface/disk'
import { defineTool } from '../base/define-tool'
import { escapedLine } from '../base/short-text'
import type { Tool } from '../base/tool'
import { type AllowedPaths, readPathRules } from './allowed-paths'
import { resolveToolFolder } from './resolve-path'
import { type FolderItem, folderItems, type Walk } from './walk-folders'

const deepest = 10

/** Returns dir_list. `fits` is the most characters of an answer. */
export function listTool(allowed: AllowedPaths, fits: number): Tool {
  return defineTool({
    name: 'dir_list',
    description: 'Lists a folder: one line for each file with its size, folders end in "/".',
    effect: 'reads',
    args: z.strictObject({
      path: z.string().describe('Path of the folder, absolute or below the first allowed folder'),
      depth: z.int().min(1).max(deepest).optional().describe('Levels to go down; 1 otherwise'),
      show_hidden: z.boolean().optional().describe('Also names that begin with a dot'),
    }),
    async run({ path: asked, depth = 1, show_hidden: showHidden = false }, signal) {
      const place = await resolveToolFolder(allowed, asked)
      const walk = { disk: allowed.disk, rules: await readPathRules(allowed), showHidden, signal }
      const lines: string[] = []
      let characters = 0
      for await (const line of linesOf(walk, place.real, '', depth)) {
        characters += line.length + 1
        if (characters > fits)
          return `${lines.join('\n')}\n[Cut after ${countWithNoun(lines.length, 'line')}: no more fit. List a folder below, or fewer levels.]`
        lines.push(line)
      }
      return lines.length === 0 ? `(${place.shown} is empty)` : lines.join('\n')
    },
  })
}

async function* linesOf(
  walk: Walk,
  folder: string,
  above: string,
  depth: number,
): AsyncGenerator<string> {
  for await (const found of folderItems(walk, folder)) {
    const line = `${above}${escapedLine(found.name)}${wordsOf(found)}`
    yield line
    if (depth <= 1 || found.type !== 'there' || found.stat.kind !== 'directory') continue
    try {
      yield* linesOf(walk, found.real, line, depth - 1)
    } catch (error) {
      if (!(error instanceof DiskError)) throw error
      yield `${line} (cannot be listed)`
    }
  }
}

function wordsOf(found: FolderItem): string {
  switch (found.type) {
    case 'kept':
      return ' (not available to tools)'
    case 'link':
      return found.isAllowed ? ' (a link)' : ' (a link that leads outside)'
    case 'unreadable':
      return ' (a broken link, or not readable)'
    case 'there':
      if (found.stat.kind === 'directory') return '/'
      return found.stat.kind === 'file'
        ? ` (${countWithNoun(found.stat.sizeBytes, 'byte')})`
        : ' (not a file)'
  }
}
