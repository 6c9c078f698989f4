import { common, createLowlight } from 'lowlight'
import type { CodePiece, HighlightRequest } from './highlighter'
import { answerRequest } from './workers/answer-request'

type Tree = ReturnType<ReturnType<typeof createLowlight>['highlight']>

const lowlight = createLowlight(common)

self.onmessage = ({ data }: MessageEvent<HighlightRequest>) => {
  const { id, language, code } = data
  answerRequest<readonly CodePiece[]>(
    id,
    () =>
      lowlight.registered(language)
        ? piecesOf(lowlight.highlight(language, code).children)
        : undefined,
    (answer) => self.postMessage(answer),
  )
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
