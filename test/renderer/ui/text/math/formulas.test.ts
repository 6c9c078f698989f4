import { expect, it } from 'vitest'
import { createFormulas } from '../../../../../src/renderer/ui/text/math/formulas'
import type { AnsweringWorker } from '../../../../../src/renderer/ui/text/workers/worker-answers'

/** A worker that answers each request with its TeX. */
function workerOf() {
  const asked: object[] = []
  const worker = {
    onmessage: null,
    onerror: null,
    postMessage(request: { readonly id: number; readonly tex: string }) {
      asked.push(request)
      worker.onmessage({ data: { id: request.id, answer: [request.tex] } })
    },
    terminate: () => undefined,
  } as unknown as AnsweringWorker & { onmessage: (event: { data: unknown }) => void }
  return { worker, asked }
}

const formula = { tex: 'x', isDisplay: false }

it('typesets a formula once, and loads the styles with the first', async () => {
  const { worker, asked } = workerOf()
  let loaded = 0
  const formulas = createFormulas(
    () => worker,
    async () => loaded++,
  )
  expect([formulas.known(formula), loaded]).toEqual([undefined, 0])
  expect(await formulas.typeset(formula)).toEqual(['x'])
  expect(await formulas.typeset(formula)).toEqual(['x'])
  expect(formulas.known(formula)).toEqual(['x'])
  expect(formulas.known({ ...formula, isDisplay: true })).toBeUndefined()
  expect([asked, loaded]).toEqual([[{ id: 0, tex: 'x', isDisplay: false }], 1])
  formulas.close()
})

it('leaves formulas as their source without their styles, or without a worker', async () => {
  const { worker } = workerOf()
  const bare = createFormulas(
    () => worker,
    () => Promise.reject(new Error('no styles')),
  )
  expect(await bare.typeset(formula)).toBeUndefined()
  expect(bare.known(formula)).toBeUndefined()
  const alone = createFormulas(
    () => {
      throw new Error('no workers here')
    },
    async () => undefined,
  )
  expect(await alone.typeset(formula)).toBeUndefined()
})
