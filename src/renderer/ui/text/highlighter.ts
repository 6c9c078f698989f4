/** Piece of highlighted code: text, or pieces with the class of their kind. */
export type CodePiece = string | readonly [kind: string, pieces: readonly CodePiece[]]

/** Request to the highlighting worker. */
export interface HighlightRequest {
  readonly id: number
  readonly language: string
  readonly code: string
}
/** Answer of the highlighting worker. */
export interface HighlightAnswer {
  readonly id: number
  /** Absent for an unknown language. */
  readonly pieces?: readonly CodePiece[]
}

/** Highlighter of code that works off the main thread. */
export interface Highlighter {
  /** Returns the kept answer, so that code that scrolls back into view is not plain for a moment. */
  known(language: string, code: string): readonly CodePiece[] | undefined
  /** Resolves to undefined for an unknown language. */
  highlight(language: string, code: string): Promise<readonly CodePiece[] | undefined>
  close(): void
}

/** Worker, as far as the highlighter uses it. */
export type HighlightWorker = Pick<Worker, 'postMessage' | 'onmessage' | 'onerror' | 'terminate'>

const keptAnswers = 300

/** Makes a highlighter; its worker starts with the first code. Without a working worker all code stays plain. */
export function createHighlighter(startWorker: () => HighlightWorker): Highlighter {
  const answers = new Map<string, readonly CodePiece[] | undefined>()
  const waiting = new Map<number, (pieces: readonly CodePiece[] | undefined) => void>()
  let worker: HighlightWorker | undefined
  let nextId = 0
  /** True where the worker could not start or failed: no request waits for it again. */
  let isBroken = false

  function started(): HighlightWorker {
    if (worker !== undefined) return worker
    worker = startWorker()
    worker.onmessage = ({ data }: MessageEvent<HighlightAnswer>) => {
      waiting.get(data.id)?.(data.pieces)
      waiting.delete(data.id)
    }
    worker.onerror = () => {
      isBroken = true
      for (const answer of waiting.values()) answer(undefined)
      waiting.clear()
    }
    return worker
  }

  const nameOf = (language: string, code: string) => `${language}\n${code}`

  return {
    known: (language, code) => answers.get(nameOf(language, code)),
    async highlight(language, code) {
      const name = nameOf(language, code)
      if (answers.has(name) || isBroken) return answers.get(name)
      const id = nextId++
      const pieces = await new Promise<readonly CodePiece[] | undefined>((resolve) => {
        waiting.set(id, resolve)
        try {
          started().postMessage({ id, language, code })
        } catch {
          isBroken = true
          waiting.delete(id)
          resolve(undefined)
        }
      })
      answers.set(name, pieces)
      // The oldest is dropped first: a Map keeps insertion order.
      for (const old of answers.keys()) {
        if (answers.size <= keptAnswers) break
        answers.delete(old)
      }
      return pieces
    },
    close() {
      worker?.terminate()
      worker = undefined
    },
  }
}
