import { common, createLowlight } from 'lowlight'
import type { CodePiece, HighlightAnswer, HighlightRequest } from './highlighter'

type Tree = ReturnType<ReturnType<typeof createLowlight>['highlight']>

const lowlight = createLowlight(common)

self.onmessage = ({ data }: MessageEvent<HighlightRequest>) => {
  const { id, language, code } = data
  const answer: HighlightAnswer = lowlight.registered(language)
    ? { id, answer: piecesOf(lowlight.highlight(language, code).children) }
    : { id }
  self.postMessage(answer)
}

function piecesOf(nodes: Tree['children']): CodePiece[] {
  return nodes.flatMap((node): CodePiece[] => {
    if (node.type === 'text') return [node.value]
    if (node.type !== 'element') return []
    const names = node.properties.className
    const kind = Array.isArray(names) ? names.join(' ') : ''
    return [[kind, piecesOf(node.children)]]
  })
}
