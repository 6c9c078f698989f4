import { z } from 'zod'

/** One time that a plugin was run. Kept while the home is open, and nowhere else. */
export const PluginRun = z.object({
  /** Unix time in milliseconds. */
  startedAtMs: z.number(),
  durationMs: z.number(),
  /** Purpose of the run: "--schema", "tool weather", "hook pre_message". */
  asked: z.string(),
  /** Null where it did not end by itself. */
  exitCode: z.int().nullable(),
  /** The failure, in words; null where there is none. */
  problem: z.string().nullable(),
  /** The end of what it wrote there. Hostile. */
  stderr: z.string(),
})
export type PluginRun = z.infer<typeof PluginRun>

/** Answer of a plugin to the question for its tools and hooks. Hostile. */
export const PluginOffer = z.object({
  tools: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      /** Why it is not offered to the model; null where it is. */
      problem: z.string().nullable(),
    }),
  ),
  /** The points at which it is heard. */
  hooks: z.array(z.string()),
  /** Parts of it that are passed over, and why. */
  notes: z.array(z.string()),
})
export type PluginOffer = z.infer<typeof PluginOffer>

/** State of a plugin: whether it may run, and why not. */
export const PluginState = z.enum([
  /** Nobody has trusted it: nothing of it runs. */
  'untrusted',
  'trusted',
  /** Something else was trusted under this name: nothing of it runs. */
  'changed',
  /** It cannot be run, or cannot be trusted. */
  'broken',
  /** Its name ends in ".disabled". */
  'disabled',
])
export type PluginState = z.infer<typeof PluginState>

/** One name in the plugins folder. */
export const PluginView = z.object({
  /** As the disk has it. Hostile. */
  name: z.string(),
  /** Its path as people write it. */
  shown: z.string(),
  state: PluginState,
  /** Null where its content is not known. */
  content: z
    .object({
      kind: z.enum(['file', 'folder']),
      /** SHA-256, lower-case hex. */
      hash: z.string(),
      sizeBytes: z.number(),
      files: z.int(),
    })
    .nullable(),
  /** Why it is broken, or why it offers nothing; a sentence. */
  problem: z.string().nullable(),
  /** Null while it is not known. */
  offer: PluginOffer.nullable(),
  /** Whether it is being asked what it offers. */
  isAsked: z.boolean(),
  /** Newest first: the last ones, and the last that failed. */
  runs: z.array(PluginRun),
})
export type PluginView = z.infer<typeof PluginView>

/** Plugins of the home. */
export const PluginsView = z.object({
  /** The plugins folder as people write it; need not exist. */
  folder: z.string(),
  /** Whether plugins run on this system at all. */
  canRun: z.boolean(),
  /** Why none of them can run, in a sentence; null where they can. */
  problem: z.string().nullable(),
  /** By the bytes of their names, as they are asked. */
  plugins: z.array(PluginView),
})
export type PluginsView = z.infer<typeof PluginsView>

/** Content of a plugin, for a person to see before they trust it. */
export const PluginLook = z.object({
  name: z.string(),
  shown: z.string(),
  /** The file that is run, where links or a folder lead elsewhere. */
  program: z.string(),
  kind: z.enum(['file', 'folder']),
  /** Fingerprint of all that is trusted with it. */
  hash: z.string(),
  sizeBytes: z.number(),
  /** The first of its files, by the bytes of their paths. */
  files: z.array(z.object({ path: z.string(), sizeBytes: z.number() })),
  fileCount: z.int(),
  /** The beginning of the program, where it is text; null where it is not. */
  text: z.string().nullable(),
  /** Whether `text` is all of the program. */
  isWhole: z.boolean(),
})
export type PluginLook = z.infer<typeof PluginLook>
