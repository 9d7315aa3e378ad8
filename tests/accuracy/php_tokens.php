<?php

/**
 * What PHP's own tokenizer sees defined in the files named on standard input, one JSON text a line.
 *
 * Every line is {"file", "found": [[kind, name, line, owner], …]} or {"file", "error"} for a file that PHP cannot parse.
 * The owner is the class a member stands in; a class without a name is "".
 */

declare(strict_types=1);

const MODIFIERS = [T_ABSTRACT, T_FINAL, T_PUBLIC, T_PROTECTED, T_PRIVATE, T_STATIC, T_READONLY, T_VAR];
const KEYWORDS = [T_CLASS => 'class', T_INTERFACE => 'interface', T_TRAIT => 'trait', T_ENUM => 'enum'];

while (($file = fgets(STDIN)) !== false) {
    $file = rtrim($file, "\n");
    try {
        $tokens = PhpToken::tokenize(file_get_contents($file), TOKEN_PARSE);
        echo json_encode(['file' => $file, 'found' => definitions($tokens)], JSON_INVALID_UTF8_SUBSTITUTE), "\n";
    } catch (ParseError $error) {
        echo json_encode(['file' => $file, 'error' => $error->getMessage()], JSON_INVALID_UTF8_SUBSTITUTE), "\n";
    }
}

function definitions(array $all): array
{
    $tokens = array_values(array_filter($all, fn (PhpToken $token) => !$token->isIgnorable()));
    $found = [];
    $braces = []; // [kind, name] of everything open
    $pending = null; // what the next brace opens
    $start = 0; // the line of the first modifier of what comes
    $parameters = null; // [owner, depth of brackets] inside the parameters of a method
    $depth = 0;
    $imports = false; // inside "use …;" of a namespace
    $attributes = 0; // depth of square brackets inside #[…]
    foreach ($tokens as $at => $token) {
        $sign = $token->id < 256 ? $token->text : ''; // the text of a string may be a brace as well
        $before = $tokens[$at - 1] ?? null;
        $after = $tokens[$at + 1] ?? null;
        $inside = $braces ? $braces[count($braces) - 1] : ['', ''];
        $is_class = in_array($inside[0], KEYWORDS, true);
        if ($attributes > 0) {
            $attributes += $sign === '[' || $token->is(T_ATTRIBUTE) ? 1 : ($sign === ']' ? -1 : 0);
            continue;
        }
        if ($token->is(T_ATTRIBUTE)) {
            $attributes = 1;
        } elseif ($sign === '(') {
            $depth++;
        } elseif ($sign === ')') {
            $depth--;
            if ($parameters !== null && $depth < $parameters[1]) {
                $parameters = null;
            }
        } elseif ($sign === '{' || $token->is([T_CURLY_OPEN, T_DOLLAR_OPEN_CURLY_BRACES])) {
            if (!$imports) {
                $braces[] = $sign === '{' && $pending !== null ? $pending : ['', ''];
                $pending = $sign === '{' ? null : $pending;
            }
            $start = 0;
        } elseif ($sign === '}') {
            if (!$imports) {
                array_pop($braces);
            }
            $start = 0;
        } elseif ($sign === ';') {
            $start = 0;
            $imports = false;
            $pending = null;
        } elseif ($token->is(T_USE) && !$is_class && $before?->text !== ')') {
            $imports = true;
        } elseif ($imports) {
            continue;
        } elseif ($token->is(MODIFIERS) && !$after?->is(T_DOUBLE_COLON)) {
            $start = $start ?: $token->line;
        } elseif ($token->is(array_keys(KEYWORDS)) && !$before?->is([T_DOUBLE_COLON, T_OBJECT_OPERATOR, T_FUNCTION, T_CONST])) {
            $named = $after?->is([T_STRING, T_ENUM]) && !$before?->is(T_NEW) && !($before?->is(T_READONLY) && $tokens[$at - 2]?->is(T_NEW));
            if ($named) {
                $found[] = [KEYWORDS[$token->id], $after->text, $start ?: $token->line, ''];
            }
            if ($named || $token->is(T_CLASS)) {
                $pending = [KEYWORDS[$token->id], $named ? $after->text : ''];
            }
            $start = 0;
        } elseif ($token->is(T_FUNCTION)) {
            $name = $after?->text === '&' ? $tokens[$at + 2] : $after;
            if ($name->text !== '(' && !$before?->is([T_DOUBLE_COLON, T_OBJECT_OPERATOR, T_CONST])) {
                $found[] = [$is_class ? 'method' : 'function', $name->text, $start ?: $token->line, $is_class ? $inside[1] : ''];
                $parameters = $is_class ? [$inside[1], $depth + 1] : null;
                $pending = ['function', $name->text];
            }
            $start = 0;
        } elseif ($token->is(T_CONST) && !$before?->is([T_DOUBLE_COLON, T_OBJECT_OPERATOR, T_FUNCTION])) {
            foreach (constants($tokens, $at) as $nth => $name) {
                $line = $nth ? $name->line : ($start ?: $token->line);
                $found[] = ['constant', $name->text, $line, $is_class ? $inside[1] : ''];
            }
            $start = 0;
        } elseif ($token->is(T_CASE) && $inside[0] === 'enum') {
            $found[] = ['member', $after->text, $token->line, $inside[1]];
        } elseif ($token->is(T_VARIABLE) && $parameters !== null && $depth === $parameters[1]) {
            if ($start) {
                $found[] = ['property', substr($token->text, 1), $start, $parameters[0]];
            }
            $start = 0;
        } elseif ($token->is(T_VARIABLE) && $is_class && $parameters === null) {
            $found[] = ['property', substr($token->text, 1), $before?->text === ',' ? $token->line : $start, $inside[1]];
        } elseif ($token->is(T_STRING) && strtolower($token->text) === 'define' && $after?->text === '('
            && $tokens[$at + 2]?->is(T_CONSTANT_ENCAPSED_STRING) && $tokens[$at + 3]?->text === ','
            && !$before?->is([T_FUNCTION, T_OBJECT_OPERATOR, T_DOUBLE_COLON, T_NEW])) {
            $found[] = ['constant', trim($tokens[$at + 2]->text, '\'"'), $token->line, ''];
        }
        if ($sign === ',' && $parameters !== null && $depth === $parameters[1]) {
            $start = 0;
        }
    }
    return $found;
}

/** The names of "const int A = 1, B = 2;", which expressions may stand between. */
function constants(array $tokens, int $at): Generator
{
    $depth = 0;
    for ($at++; isset($tokens[$at]) && $tokens[$at]->text !== ';'; $at++) {
        $text = $tokens[$at]->text;
        $depth += in_array($text, ['(', '[', '{'], true) ? 1 : (in_array($text, [')', ']', '}'], true) ? -1 : 0);
        if ($depth === 0 && $text === '=') {
            yield $tokens[$at - 1];
        }
    }
}
