/** Highlighted code: text, or a run of it with the class of its kind. */
export type CodePiece = string | readonly [kind: string, pieces: readonly CodePiece[]]

/** What goes to the worker and what comes back. */
export interface HighlightRequest {
  readonly id: number
  readonly language: string
  readonly code: string
}
export interface HighlightAnswer {
  readonly id: number
  /** Absent for a language that is not known. */
  readonly pieces?: readonly CodePiece[]
}

/** Colours code off the main thread. */
export interface Highlighter {
  /** What is known at once: code that scrolled away and comes back is not plain for a moment. */
  known(language: string, code: string): readonly CodePiece[] | undefined
  /** Undefined for a language that is not known. */
  highlight(language: string, code: string): Promise<readonly CodePiece[] | undefined>
  close(): void
}

/** The part of a worker that is used. */
export type HighlightWorker = Pick<Worker, 'postMessage' | 'onmessage' | 'onerror' | 'terminate'>

const keptAnswers = 300

/** Makes a highlighter; its worker starts with the first code. Without a working one all code stays plain. */
export function createHighlighter(startWorker: () => HighlightWorker): Highlighter {
  const answers = new Map<string, readonly CodePiece[] | undefined>()
  const waiting = new Map<number, (pieces: readonly CodePiece[] | undefined) => void>()
  let worker: HighlightWorker | undefined
  let nextId = 0
  /** It could not be started, or broke: nobody waits for it again. */
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
      // The oldest goes first: a Map keeps the order in which it was filled.
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
