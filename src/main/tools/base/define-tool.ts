import { z } from 'zod'
import { DiskError } from '../../disk/interface/disk'
import type { Tool, ToolEffect, ToolOutcome, ToolPreview } from './tool'

/**
 * Error for a call that is not made, for a reason that the model can fix or report. "Error: " comes before the
 * message.
 */
export class ToolRefusal extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'Refusal'
  }
}

/**
 * A tool as its file states it: arguments arrive parsed, and a `ToolRefusal` or DiskError thrown becomes the model's
 * to read.
 */
interface ToolParts<A extends z.ZodObject> {
  readonly name: string
  readonly description: string
  readonly effect: ToolEffect
  readonly ends?: 'turn' | 'round'
  readonly args: A
  preview?(args: z.output<A>, signal: AbortSignal): Promise<ToolPreview | undefined>
  run(args: z.output<A>, signal: AbortSignal): Promise<string>
}

const longestComplaint = 500

/**
 * Makes a tool of its parts. Wrong arguments, refusals, failures of the disk and an abort are outcomes of type `error`;
 * what else is thrown is a bug and goes through.
 */
export function defineTool<A extends z.ZodObject>(parts: ToolParts<A>): Tool {
  const { name, description, effect, args: schema } = parts
  const parameters = schemaOf(schema)
  const tool: Tool = {
    name,
    description,
    effect,
    parameters,
    ...(parts.ends === undefined ? {} : { ends: parts.ends }),
    async run(given, signal) {
      const parsed = schema.safeParse(given)
      if (!parsed.success) return failed(complaint(name, schema, parsed.error))
      try {
        signal.throwIfAborted()
        return { type: 'result', text: await parts.run(parsed.data, signal) }
      } catch (error) {
        return failed(reasonOf(error, signal))
      }
    },
  }
  const { preview } = parts
  if (preview === undefined) return tool
  return {
    ...tool,
    async preview(given, signal) {
      const parsed = schema.safeParse(given)
      const nothing = { title: `${name}, with invalid arguments` }
      if (!parsed.success) return nothing
      try {
        signal.throwIfAborted()
        return (await preview(parsed.data, signal)) ?? { title: name }
      } catch (error) {
        return { title: `${name} cannot run: ${reasonOf(error, signal)}` }
      }
    },
  }
}

function failed(reason: string): ToolOutcome {
  return { type: 'error', text: `Error: ${reason}` }
}

/** @throws what is neither a refusal, a failure of the disk, nor the abort */
function reasonOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof ToolRefusal || error instanceof DiskError) return error.message
  if (signal.aborted) return 'the call was stopped'
  throw error
}

/** Returns the schema for the model: plain JSON Schema, without the keys that zod adds about itself. */
function schemaOf(schema: z.ZodObject): Readonly<Record<string, unknown>> {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { io: 'input' })
  return plain
}

/**
 * Writes what is wrong with arguments, and which are wanted: "file_head got invalid arguments: …; it takes path
 * (string), lines (integer, optional)".
 */
function complaint(name: string, schema: z.ZodObject, error: z.ZodError): string {
  const wrong = error.issues
    .map((issue) => `${issue.path.length > 0 ? `${issue.path.join('.')}: ` : ''}${issue.message}`)
    .join('; ')
  const short = wrong.length > longestComplaint ? `${wrong.slice(0, longestComplaint)}…` : wrong
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' })
  const wanted = Object.entries(properties).map(([key, property]) => {
    const type = typeof property === 'object' ? property.type : undefined
    return `${key} (${type ?? 'any'}${required.includes(key) ? '' : ', optional'})`
  })
  return `${name} got invalid arguments: ${short}. It takes ${wanted.join(', ')}`
}
