import path from 'node:path'
import { z } from 'zod'
import type { Disk } from '../../main/disk/interface/disk'
import { readWholeFile } from '../../main/disk/reading/read'
import type { ReadPdf } from '../../shared/model/attachments/pdf'
import type { GivenTextFile } from '../../shared/model/attachments/text-files'
import { contextNameFault } from '../../shared/model/conversation/conversation'
import { type GivenImage, imageLimits, imagesFault } from '../../shared/model/conversation/images'
import { type Arguments, countFlag, textFlag, UsageError } from '../command/arguments'
import { setValues } from '../command/set-values'
import { attachedFiles } from './attached-files'
import { savedPrompt } from './saved-prompt'

/** Request of `skein ask`: its context, its message, and what holds for this run only. */
export interface AskRequest {
  readonly context: string
  /** Undefined where none was given and standard input is a terminal. */
  readonly prompt: string | undefined
  /** Go with the prompt. */
  readonly images: readonly GivenImage[]
  /** Text files, which stand behind the prompt in the message. */
  readonly files: readonly GivenTextFile[]
  /** Sentences on parts of the files that do not go. */
  readonly notes: readonly string[]
  readonly model: string | undefined
  /** Name of the person who is speaking, for this run. */
  readonly username: string | undefined
  /** An endpoint for this run. */
  readonly baseUrl: string | undefined
  /** In place of the context's own, for this run. */
  readonly systemPrompt: string | undefined
  /** chibi's keys above all files: `fuel`, `api.temperature`. */
  readonly values: Readonly<Record<string, unknown>>
  /** Tools that write and may run without anybody being asked. */
  readonly allow: readonly string[]
}

const text = z.string().refine((value) => value.trim() !== '', 'needs a text')

/** A whole run as JSON. `api` is checked where the configuration's values are. */
const RunJson = z.strictObject({
  context: text.optional(),
  /** May be blank where something is attached. */
  prompt: z.string(),
  /** Paths; relative ones begin where the command runs. */
  images: z.array(text).max(imageLimits.count).optional(),
  model: text.optional(),
  username: text.optional(),
  system_prompt: z.string().optional(),
  tools: z
    .union([
      z.literal(false),
      z.strictObject({ include: z.array(text).optional(), exclude: z.array(text).optional() }),
    ])
    .optional(),
  api: z.record(z.string(), z.unknown()).optional(),
  fuel: z.int().nonnegative().optional(),
  allow: z.array(text).optional(),
})
type RunJson = z.infer<typeof RunJson>

/** More than any prompt; what is larger was given by mistake. */
const mostBytes = 64 * 1024 * 1024

/**
 * Reads what is to be done from options, operands, standard input, or a whole run as JSON (`--input`); an option
 * holds before what the JSON says. A saved prompt is one of the home's.
 *
 * @throws UsageError which names the option or the key of the JSON; DiskError
 */
export async function askRequest(
  args: Arguments,
  disk: Disk,
  readInput: () => Promise<string | undefined>,
  home: () => string,
  readPdf: ReadPdf<AbortSignal>,
  signal: AbortSignal,
): Promise<AskRequest> {
  const input = textFlag(args, 'input')
  const saved = await savedPrompt(args, disk, home)
  if (input !== undefined && saved !== undefined)
    throw new UsageError('--input and --prompt cannot both be given.')
  const given =
    input === undefined ? undefined : await runJson(input, args.operands, disk, readInput)
  const context = contextName(args.flags.context ?? given?.context)
  const fuel = countFlag(args, 'fuel')
  const { values, model, username, baseUrl } = setValues(args)
  const { files, images: more, notes } = await attachedFiles(args, disk, readPdf, signal)
  const images = checkedImages([...(await imagesAt(given?.images ?? [], disk)), ...more])
  const isEnough = files.length + images.length > 0
  if (given?.prompt.trim() === '' && !isEnough)
    throw new UsageError('--input: "prompt": needs a text, or something that is attached.')
  return {
    context,
    prompt: saved ?? given?.prompt ?? (await prompt(args.operands, readInput, isEnough)),
    images,
    files,
    notes,
    model: textFlag(args, 'model') ?? model ?? given?.model,
    username: textFlag(args, 'username') ?? username ?? given?.username,
    baseUrl,
    systemPrompt: given?.system_prompt,
    values: {
      ...(given?.fuel === undefined ? {} : { fuel: given.fuel }),
      ...apiValues(given?.api ?? {}),
      ...(args.flags['no-tools'] === true ? {} : toolValues(given?.tools)),
      // An option holds before the JSON, and one with a name of its own before --set.
      ...values,
      ...(fuel === undefined ? {} : { fuel }),
      ...(args.flags['no-tools'] === true ? toolValues(false) : {}),
    },
    allow: [...allowedTools(args), ...(given?.allow ?? [])],
  }
}

async function runJson(
  file: string,
  operands: readonly string[],
  disk: Disk,
  readInput: () => Promise<string | undefined>,
): Promise<RunJson> {
  if (operands.length > 0) throw new UsageError('With --input, the message stands in the JSON.')
  const content =
    file === '-'
      ? ((await readInput()) ?? '')
      : Buffer.from(await readWholeFile(disk, path.resolve(file), mostBytes)).toString('utf8')
  let value: unknown
  try {
    value = JSON.parse(withoutMark(content))
  } catch (error) {
    throw new UsageError(`--input is no JSON: ${error instanceof Error ? error.message : error}`)
  }
  const parsed = RunJson.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const key = issue?.path.join('.') ?? ''
  throw new UsageError(`--input: ${key === '' ? '' : `"${key}": `}${issue?.message ?? 'not a run'}`)
}

/** Reads images and looks at what they are. @throws UsageError which names the file */
async function imagesAt(files: readonly string[], disk: Disk): Promise<readonly GivenImage[]> {
  const images: GivenImage[] = []
  for (const file of files) {
    try {
      const bytes = await readWholeFile(disk, path.resolve(file), imageLimits.bytes)
      images.push({ name: path.basename(file), bytes })
    } catch (error) {
      throw new UsageError(
        `--input: "images": ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }
  const fault = imagesFault(images)
  if (fault !== undefined) throw new UsageError(`--input: "images": ${fault}`)
  return images
}

/** Images of both kinds of options. @throws UsageError where they are too many together */
function checkedImages(images: readonly GivenImage[]): readonly GivenImage[] {
  const fault = imagesFault(images)
  if (fault !== undefined) throw new UsageError(fault)
  return images
}

/** A flag of today's options, or what JSON holds. @throws UsageError */
function contextName(given: Arguments['flags'][string]): string {
  if (typeof given !== 'string') throw new UsageError('"skein ask" needs --context NAME.')
  const fault = contextNameFault(given)
  if (fault !== undefined) throw new UsageError(`--context "${given}": ${fault}`)
  return given
}

/** @param mayBeEmpty where files or images are the message */
async function prompt(
  operands: readonly string[],
  readInput: () => Promise<string | undefined>,
  mayBeEmpty: boolean,
): Promise<string | undefined> {
  const given = operands.join(' ') || (await readInput())
  if (given === undefined && operands.length === 0) return undefined
  const said = operands.join('') === '' ? withoutMark(given ?? '').trimEnd() : (given ?? '')
  if (said === '' && !mayBeEmpty) throw noMessage()
  return said
}

/** Makes the refusal of a command without a message, where nobody can be asked for one. */
export function noMessage(): UsageError {
  return new UsageError('There is no message: give it after the options or on standard input.')
}

/** Without the byte order mark that some editors and shells put first. */
function withoutMark(given: string): string {
  return given.startsWith('\ufeff') ? given.slice(1) : given
}

/** Reads the tools of `--allow`, which may be given several times. @throws UsageError */
export function allowedTools(args: Arguments): readonly string[] {
  const given: unknown = args.flags.allow
  const names = (Array.isArray(given) ? given : given === undefined ? [] : [given]).map(String)
  if (names.some((name) => name.trim() === ''))
    throw new UsageError('--allow needs the name of a tool.')
  return names
}

/** As config.toml has them: one table below `api`, `reasoning`, has keys of its own. */
function apiValues(api: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const flat = Object.entries(api).flatMap(([key, value]) =>
    key === 'reasoning' && typeof value === 'object' && value !== null
      ? Object.entries(value).map(([name, one]) => [`reasoning.${name}`, one] as const)
      : [[key, value] as const],
  )
  return Object.fromEntries(flat.map(([key, value]) => [`api.${key}`, value]))
}

function toolValues(tools: RunJson['tools']): Record<string, unknown> {
  if (tools === false) return { no_tool_calls: true }
  return Object.fromEntries(
    Object.entries(tools ?? {}).map(([key, names]) => [`tools.${key}`, names]),
  )
}
