/** What a call may do, by which it is decided whether a person is asked first. */
export type ToolEffect =
  /** Changes nothing but what is Skein's own: notes of the context. */
  | 'notes'
  /** Reads files. */
  | 'reads'
  /** Changes files, or sends something. */
  | 'writes'
  /** Runs a program that a person has trusted: nobody is asked again. */
  | 'runs'
  /** Ends the turn, or hands it on. */
  | 'flow'

/** What a tool is as the model is told. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** A JSON Schema of its arguments. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/** What is shown before a call is allowed. */
export interface ToolPreview {
  /** One line: "Write 12 lines to notes/plan.md". */
  readonly title: string
  /** A unified diff, where a file would change. */
  readonly diff?: string
  /** How far it reaches; undefined where that is not known. */
  readonly reach?: ToolReach
}

/** What a call would touch on the person's machine. */
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
      /** Why it is more than words that wait to be read, a sentence. */
      readonly risk: string | undefined
    }

/** What a call came to. */
export type ToolOutcome =
  | { readonly type: 'result'; readonly text: string }
  /** The model did something wrong, or it failed: told to the model, in words that begin with "Error". */
  | { readonly type: 'error'; readonly text: string }

/** A tool that the model may call. */
export interface Tool extends ToolDefinition {
  readonly effect: ToolEffect
  /**
   * For `flow`. `turn`: the person has the word after it. `round`: the model goes on with a turn of its own, which begins
   * with the result's text. Absent: it goes on as after any call.
   */
  readonly ends?: 'turn' | 'round'
  /** Must not run beside others; what writes never does. */
  readonly alone?: boolean
  /**
   * What a call would change; undefined where there is nothing to show. Never throws for bad arguments. Where it tells of
   * a file, `run` with these arguments changes that one, as it was shown, or nothing.
   */
  preview?(args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolPreview>
  /** Never throws for what the model gave; stops soon when the signal aborts. */
  run(args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolOutcome>
}
