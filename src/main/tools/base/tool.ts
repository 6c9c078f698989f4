/** The effect of a tool's calls, which decides whether a person is asked first. */
export type ToolEffect =
  /** Changes only Skein's own files: notes of the context. */
  | 'notes'
  /** Reads files. */
  | 'reads'
  /** Changes files, or sends something. */
  | 'writes'
  /** Runs a program that a person has trusted: nobody is asked again. */
  | 'runs'
  /** Ends the turn, or hands it on. */
  | 'flow'

/** A tool as a request describes it to the model. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** A JSON Schema of its arguments. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/** A preview of a call, shown before it is allowed. */
export interface ToolPreview {
  /** One line: "Write 12 lines to notes/plan.md". */
  readonly title: string
  /** A unified diff, where a file would change. */
  readonly diff?: string
  /** Its reach; undefined where that is not known. */
  readonly reach?: ToolReach
}

/** The part of the person's machine that a call would touch. */
export type ToolReach =
  /** Nothing outside of the home. A call that makes a context there (`creates`) is asked about by itself. */
  | { readonly type: 'home'; readonly creates?: string }
  | {
      readonly type: 'file'
      /** With every link followed; nothing else is written. */
      readonly file: string
      /** The allowed folder that it lies in, with every link followed. */
      readonly folder: string
      /** SHA-256 of what it will hold, lower-case hex. */
      readonly hash: string
      /** The reason why it may run by itself, a sentence. */
      readonly risk: string | undefined
    }

/** The outcome of a call. */
export type ToolOutcome =
  | { readonly type: 'result'; readonly text: string }
  /** The model did something wrong, or the call failed: the model gets a text that begins with "Error". */
  | { readonly type: 'error'; readonly text: string }

/** A tool that the model may call. */
export interface Tool extends ToolDefinition {
  readonly effect: ToolEffect
  /**
   * For `flow`. `turn`: the turn ends after it. `round`: the model continues with a turn of its own, which begins
   * with the result's text. Absent: the run continues as after any call.
   */
  readonly ends?: 'turn' | 'round'
  /** Must not run in parallel with others; one that writes never does. */
  readonly alone?: boolean
  /**
   * Returns what a call would change. Never throws for bad arguments. Where it shows
   * a file, `run` with these arguments changes that file, as it was shown, or nothing.
   */
  preview?(args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolPreview>
  /** Never throws for what the model gave; stops soon when the signal aborts. */
  run(args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolOutcome>
}
