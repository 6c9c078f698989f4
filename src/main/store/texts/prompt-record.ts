import path from 'node:path'
import { z } from 'zod'
import { parseShallow } from '../../../shared/model/basics/json-depth'
import { wellFormedJson } from '../../../shared/model/basics/well-formed'
import type { Disk } from '../../disk/interface/disk'
import { readSmallText } from '../../disk/reading/read'
import { replaceFile } from '../../disk/writing/atomic'
import { contextPaths } from '../core/home-paths'
import { keepDamagedFile } from '../registry/known-contexts'

/** The part of context_meta.json about the prompt; chibi's keys, and one of ours, which chibi drops when it writes. */
const Meta = z.looseObject({
  /** Of the context's system_prompt.md, in Unix seconds; absent where there was none. */
  system_prompt_md_mtime: z.number().optional().catch(undefined),
  /** The whole system message of the last run. */
  last_combined_prompt: z.string().optional().catch(undefined),
  /** The prompt's own text in the last run, without all that is put around it. */
  skein_prompt: z.string().optional().catch(undefined),
})
type Meta = z.infer<typeof Meta>

/** A prompt that replaced another one. */
export interface ChangedPrompt {
  readonly prompt: string
  /** The text of the one before, where it is known. */
  readonly before: string | undefined
}

/** A context's record of the prompt that its last run had. */
export interface PromptRecord {
  /** The text of the last run's prompt; undefined where that run was chibi's, or there was none. */
  readonly before: string | undefined
  /** Whether this is another prompt than the last run's. A context without a run has none that could have changed. */
  isChanged(prompt: string): boolean
  /**
   * Records the prompt and, where it is given, the whole system message. Writes only what is new. Durable on return.
   * @throws DiskError
   */
  keep(prompt: string, combined?: string): Promise<void>
}

/**
 * Reads the record of a context's last prompt. chibi compares only the time of system_prompt.md; where our own key is
 * there, the texts are compared, which ignores a file that was merely touched and notices a change of the home's
 * prompt. The time is kept as chibi has it, so that it does not record the same change again.
 *
 * @throws DiskError
 */
export async function openPromptRecord(
  disk: Disk,
  home: string,
  context: string,
): Promise<PromptRecord> {
  const { meta: file, folder } = contextPaths(home, context)
  const found = await readSmallText(disk, file)
  let known = parsed(found)
  let isDamaged = found !== undefined && found.trim() !== '' && known === undefined
  const stat = await disk.stat(path.join(folder, 'system_prompt.md'))
  const mtime = stat === undefined ? undefined : Math.floor(stat.mtimeMs / 1000)
  return {
    before: known?.skein_prompt,
    isChanged(prompt) {
      if (known?.skein_prompt !== undefined) return known.skein_prompt !== prompt
      if (known?.system_prompt_md_mtime !== undefined) return known.system_prompt_md_mtime !== mtime
      const combined = known?.last_combined_prompt
      return combined !== undefined && mtime !== undefined && !combined.includes(prompt)
    },
    async keep(prompt, combined = known?.last_combined_prompt) {
      const { system_prompt_md_mtime: _, last_combined_prompt: __, ...others } = known ?? {}
      const next = {
        ...(mtime === undefined ? {} : { system_prompt_md_mtime: mtime }),
        ...(combined === undefined ? {} : { last_combined_prompt: combined }),
        ...others,
        skein_prompt: prompt,
      }
      const isSame =
        known?.skein_prompt === prompt &&
        known.system_prompt_md_mtime === mtime &&
        known.last_combined_prompt === combined
      // Where there is no prompt, and never was, there is nothing to record.
      const isNothing =
        known?.skein_prompt === undefined &&
        known?.system_prompt_md_mtime === undefined &&
        mtime === undefined &&
        `${prompt}${combined ?? ''}` === ''
      if (isSame || isNothing) return
      // chibi reads it with any spacing; in its own it is indented by two.
      const text = JSON.stringify(JSON.parse(wellFormedJson(next)), null, 2)
      if (isDamaged) await keepDamagedFile(disk, file, undefined, () => {})
      isDamaged = false
      await replaceFile(disk, file, Buffer.from(text))
      known = next
    },
  }
}

/**
 * Reads the whole system message of a context's last run; undefined where it is unknown.
 *
 * @throws DiskError
 */
export async function readCombinedPrompt(
  disk: Disk,
  home: string,
  context: string,
): Promise<string | undefined> {
  const text = await readSmallText(disk, contextPaths(home, context).meta)
  return parsed(text)?.last_combined_prompt
}

/** A damaged file counts as empty, as for chibi; it is kept beside the new one. */
function parsed(text: string | undefined): Meta | undefined {
  if (text === undefined) return undefined
  try {
    return Meta.safeParse(parseShallow(text)).data
  } catch {
    return undefined
  }
}
