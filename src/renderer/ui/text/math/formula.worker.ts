import type { FormulaAnswer, FormulaRequest } from './formulas'
import { typesetFormula } from './typeset'

self.onmessage = ({ data }: MessageEvent<FormulaRequest>) => {
  const nodes = typesetFormula(data)
  const answer: FormulaAnswer =
    nodes === undefined ? { id: data.id } : { id: data.id, answer: nodes }
  self.postMessage(answer)
}
