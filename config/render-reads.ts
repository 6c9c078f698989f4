import path from 'node:path'
import ts from 'typescript'

/** Take a function to call it later: in an effect, for an event, when something has come. */
const deferring = new Set([
  ...['useEffect', 'useLayoutEffect', 'useInsertionEffect', 'useEffectEvent', 'useCallback'],
  ...['useImperativeHandle', 'useSyncExternalStore', 'subscribe', 'addEventListener'],
  ...['setTimeout', 'setInterval', 'requestAnimationFrame', 'requestIdleCallback'],
  ...['queueMicrotask', 'then', 'catch', 'finally'],
])

/** Names a function that React calls while it draws. */
const drawn = /^(use)?[A-Z]/

type Body = ts.FunctionDeclaration | ts.FunctionExpression | ts.ArrowFunction | ts.MethodDeclaration

/**
 * Finds where the state of a store is read while React draws, each as `file:line code`: nothing draws again when that
 * state changes.
 *
 * What runs while React draws begins with components and hooks and goes on in what they call, through files, variables
 * and parameters. Effects, handlers of events, and what only they call do not belong to it.
 */
export function readsInRender(files: readonly string[], folder: string): readonly string[] {
  const options = { jsx: ts.JsxEmit.Preserve, noLib: true, types: [] }
  const host = ts.createCompilerHost(options)
  const program = ts.createProgram(files, options, {
    ...host,
    // Packages read no store of ours, and their types take ten times as long as the sources.
    resolveModuleNameLiterals: (names, from) =>
      names.map(({ text }) =>
        text.startsWith('.')
          ? ts.resolveModuleName(
              text,
              from,
              { moduleResolution: ts.ModuleResolutionKind.Bundler },
              host,
            )
          : { resolvedModule: undefined },
      ),
  })
  const own = new Set(files.map((file) => path.resolve(file)))
  const sources = program.getSourceFiles().filter(({ fileName }) => own.has(path.resolve(fileName)))
  const reads = walkRender(program.getTypeChecker(), sources)
  return reads.map((node) => placeOf(node, folder)).sort()
}

function placeOf(node: ts.Node, folder: string): string {
  const source = node.getSourceFile()
  const { line } = source.getLineAndCharacterOfPosition(node.getEnd())
  const file = path.relative(folder, source.fileName).split(path.sep).join('/')
  return `${file}:${line + 1} ${source.text.split('\n')[line]?.trim()}`
}

/** Every read in what runs while React draws. */
function walkRender(checker: ts.TypeChecker, sources: readonly ts.SourceFile[]) {
  const reads = new Set<ts.Node>()
  const seen = new Set<ts.Node>()
  const waiting: Body[] = []
  /** Values of parameters, by their declarations: a function runs once the parameter is seen to be called. */
  const given = new Map<ts.Node, ts.Expression[]>()
  const called = new Set<ts.Node>()

  for (const source of sources) forEachBody(source, (body) => drawn.test(nameOf(body)) && add(body))
  for (let body = waiting.pop(); body !== undefined; body = waiting.pop()) visit(body.body)
  return [...reads]

  function add(body: Body): void {
    if (body.body === undefined || seen.has(body) || !sources.includes(body.getSourceFile())) return
    seen.add(body)
    waiting.push(body)
  }

  function visit(node: ts.Node | undefined): void {
    if (node === undefined || isBody(node)) return
    if (isReadOfState(node)) reads.add(node)
    if (ts.isCallExpression(node)) visitCall(node)
    if (ts.isNewExpression(node) && node.expression.getText() === 'Promise')
      node.arguments?.forEach(run)
    if (ts.isJsxExpression(node) && node.expression !== undefined && isDrawn(node))
      run(node.expression)
    ts.forEachChild(node, visit)
  }

  function visitCall(call: ts.CallExpression): void {
    run(call.expression)
    const target = checker.getResolvedSignature(call)?.declaration
    const body = target !== undefined && isBody(target) ? target : undefined
    if (body !== undefined) add(body)
    if (deferring.has(lastName(call.expression))) return
    call.arguments.forEach((argument, at) => {
      const parameter = body?.parameters[Math.min(at, body.parameters.length - 1)]
      // What is not ours, such as map and useMemo, calls at once what it is given.
      if (parameter === undefined || !sources.includes(parameter.getSourceFile())) run(argument)
      else give(parameter, argument)
    })
  }

  function give(parameter: ts.Node, argument: ts.Expression): void {
    if (called.has(parameter)) run(argument)
    else given.set(parameter, [...(given.get(parameter) ?? []), argument])
  }

  /** Follows an expression that is called while React draws, if it is a function. */
  function run(expression: ts.Expression): void {
    if (isBody(expression)) add(expression)
    else if (ts.isIdentifier(expression)) runNamed(expression)
    else if (ts.isParenthesizedExpression(expression) || ts.isAsExpression(expression))
      run(expression.expression)
    else if (ts.isConditionalExpression(expression)) {
      run(expression.whenTrue)
      run(expression.whenFalse)
    } else if (ts.isBinaryExpression(expression)) {
      run(expression.left)
      run(expression.right)
    }
  }

  function runNamed(name: ts.Identifier): void {
    const symbol = checker.getSymbolAtLocation(name)
    const isAlias = symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0
    for (const one of (isAlias ? checker.getAliasedSymbol(symbol) : symbol)?.declarations ?? []) {
      if (isBody(one)) add(one)
      if (called.has(one)) continue
      called.add(one)
      if (ts.isParameter(one)) given.get(one)?.forEach(run)
      else if (ts.isVariableDeclaration(one) && one.initializer !== undefined) {
        const { initializer } = one
        // What useCallback keeps for events is kept for nothing if it is called right away.
        if (ts.isCallExpression(initializer)) initializer.arguments.slice(0, 1).forEach(run)
        else run(initializer)
      }
    }
  }
}

/** `getState` in any spelling: called, passed on, or taken out of its store. */
function isReadOfState(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) return node.name.text === 'getState'
  if (ts.isElementAccessExpression(node))
    return (
      ts.isStringLiteralLike(node.argumentExpression) && node.argumentExpression.text === 'getState'
    )
  return ts.isBindingElement(node) && (node.propertyName ?? node.name).getText() === 'getState'
}

/** Not a handler: those are named after their event. */
function isDrawn(node: ts.JsxExpression): boolean {
  return !ts.isJsxAttribute(node.parent) || !/^(on[A-Z]|ref$)/.test(node.parent.name.getText())
}

function isBody(node: ts.Node): node is Body {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isFunctionExpression(node) ||
    ts.isArrowFunction(node) ||
    ts.isMethodDeclaration(node)
  )
}

function forEachBody(node: ts.Node, hear: (body: Body) => void): void {
  if (isBody(node)) hear(node)
  ts.forEachChild(node, (child) => forEachBody(child, hear))
}

/** Its own name, or that of the variable it is given to, also by way of `memo` and its like. */
function nameOf(body: Body): string {
  if (body.name !== undefined) return body.name.getText()
  let node: ts.Node = body.parent
  while (ts.isCallExpression(node) || ts.isParenthesizedExpression(node)) node = node.parent
  return ts.isVariableDeclaration(node) ? node.name.getText() : ''
}

function lastName(expression: ts.Expression): string {
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText()
}
