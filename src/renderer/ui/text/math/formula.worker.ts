import { answerRequest } from '../workers/answer-request'
import type { FormulaRequest } from './formulas'
import type { FormulaNode } from './markup-tree'
import { typesetFormula } from './typeset'

self.onmessage = ({ data }: MessageEvent<FormulaRequest>) => {
  answerRequest<readonly FormulaNode[]>(
    data.id,
    () => typesetFormula(data),
    (answer) => self.postMessage(answer),
  )
}
