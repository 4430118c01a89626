import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../language/translate.ts';
import { Panel } from '../../../ui/panel.tsx';
import { draftOf, isSameRule, ruleOf, ruleText } from '../draft/policy-draft.ts';
import { readRule } from '../draft/read-rule.ts';
import classes from './editor.module.css';

type Props = {
  rule: PolicyRule;
  /** Set while the text cannot be read. */
  problem: string | undefined;
  onRule: (rule: PolicyRule) => void;
  onProblem: (problem: string | undefined) => void;
};

/** The same policy as JSON. What can be read is taken at once; what cannot stays here, with what is wrong. */
export function JsonView({ rule, problem, onRule, onProblem }: Props) {
  const [typed, setTyped] = useState({ text: ruleText(rule), rule });
  // Changed by another hand: taken back, or rolled back.
  if (typed.rule !== rule && !isSameRule(typed.rule, rule)) {
    setTyped({ text: ruleText(rule), rule });
    onProblem(undefined);
  }
  const type = (text: string) => {
    const read = readRule(text);
    // As the form keeps it, or what it tidies up would replace the text while somebody types.
    setTyped({ text, rule: 'rule' in read ? ruleOf(draftOf(read.rule)) : typed.rule });
    onProblem('rule' in read ? undefined : read.problem);
    if ('rule' in read) onRule(read.rule);
  };
  return (
    <Panel title={t('As JSON')}>
      <Textarea
        aria-label={t('The policy as JSON')}
        classNames={{ input: classes.json ?? '' }}
        autosize
        minRows={20}
        maxRows={40}
        spellCheck={false}
        value={typed.text}
        error={problem}
        onChange={(event) => type(event.currentTarget.value)}
      />
    </Panel>
  );
}
