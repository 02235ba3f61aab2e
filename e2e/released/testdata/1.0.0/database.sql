COPY account (id, organization_id, environment, name, currency, time_zone, created_at) FROM stdin;
01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-e676-7ba5-982d-e546aec03ba7	sandbox	Fictional Shops	USD	America/New_York	2026-11-24 20:45:58.816+00
\.

COPY account_policy (account_id, rule_set_id, pricing_model_id) FROM stdin;
01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-eaa2-7000-8009-77baf8939ca9	01a20f4e-e77f-7000-8001-45f0c7c23a21
\.

COPY business (id, account_id, legal_name, operating_name, established_date, industry_category_code, website, phone_number, email, address, no_persons_attested, version, erased_at, created_at, updated_at) FROM stdin;
01a20f4e-eab8-7000-800a-23d3070825c4	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	Invented Orchards Ltd	Orchards	2001-02-28	{0742,5967}	https://orchards.example	+1 555 0100	office@orchards.example	{"city": "Portland", "line1": "1 Nowhere Road", "line2": "Unit 2", "region": "OR", "country": "US", "postal_code": "97205"}	f	2	\N	2026-11-24 20:45:59.864+00	2026-11-24 20:45:59.864+00
01a20f4e-eacd-7000-800e-e82c2a03bb74	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	Bare Ltd	\N	\N	{}	\N	\N	\N	\N	f	1	\N	2026-11-24 20:45:59.885+00	2026-11-24 20:45:59.885+00
01a20f4e-ead5-7000-800f-64f6f99a474d	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	Nobody Ltd	\N	\N	{}	\N	\N	\N	\N	t	1	\N	2026-11-24 20:45:59.893+00	2026-11-24 20:45:59.893+00
01a20f4e-ed54-7000-8035-b83d0cdd6ae0	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	(erased)	\N	\N	{}	\N	\N	\N	\N	f	2	2026-11-24 20:46:00.643+00	2026-11-24 20:46:00.532+00	2026-11-24 20:46:00.643+00
\.

COPY credential (api_key, organization_id, environment, name, policy, policy_forced, permissions, secret_sealed, token_sha256, created_at, expires_at, last_used_at, revoked_at) FROM stdin;
sb_353L2i3CevpRsW3p9CczG	01a20f4e-e676-7ba5-982d-e546aec03ba7	sandbox	back office	strict	f	{read,write,rules,keys,webhooks}	\\x013a2a9a87d608dccf99ae61350bc32fc8b90e4cedca421ada9cf3be8fd572d9eb6d7420ff3109362dcebf4f8f0aa01d4ce0acbd143ca8f2de494f2e0669b92325754a7a5930cd363939cd568602	\\xe367045bea3e1768ae71b873a2e73f8b2e82c51928828573836c15c142bc3f84	2026-11-24 20:45:58.855+00	\N	2026-11-24 20:45:59.389+00	\N
sb_353L2i7afOZwH9UF0cwVS	01a20f4e-e676-7ba5-982d-e546aec03ba7	sandbox	reporting	strict	f	{read}	\\x013a2a9a8726b1cd06b35208ba49f4d2f4f7db691f54d24ee874ae38eeb0e17dec99038d37b43c9a987aef57872aac4a77ece0deb8c9226a7cf17d5c6dba052cbab70da89d502657505d209d2976	\\x93a9c706cdbd6cf7af41bd1c0b7f380049de102eec6e4bb5744bfe0c1bd54266	2026-11-24 20:45:58.9+00	2200-01-01 00:00:00+00	2026-11-24 20:46:05.228+00	\N
sb_353L2iBmLEgNUShUIPelr	01a20f4e-e676-7ba5-982d-e546aec03ba7	sandbox	trials	minimal	f	{read,write,rules,keys,webhooks}	\\x013a2a9a8756ae0620590841adbb59cff7fd01c8a92c915258bf8cd5ea0d9616147e4a1d8a6b3c6a8514b5ddb7de283fbddd7289349124eebabd102f9d248e41a75fe28bb4ac89be7487ec1ac2ca	\\xb89cf490b9d7fb94f45fa16ebb6d9943f4253b11e905a6e4d80288b900be00c5	2026-11-24 20:45:58.943+00	\N	2026-11-24 20:46:05.233+00	\N
sb_353L2iEhmsM6mpPn2bbQo	01a20f4e-e676-7ba5-982d-e546aec03ba7	sandbox	former	strict	f	{read,write,rules,keys,webhooks}	\\x013a2a9a87ecbe2c19950998d1bc6bf6cc448a8371970fafa1e63263e3f3ac5e92c38e505b3b79faf25627eec96e821955e4922a84184e64c4f2d0cc1d0dedcf3b3824462e96509fa9175767ccb7	\\x8f0b313060c1a631f43d449c67ed7eaa2d10cd6e64e56378ef06c0efda78b8f2	2026-11-24 20:45:58.973+00	\N	\N	2026-11-24 20:45:59.007+00
\.

COPY event_epoch (number, cluster, tag) FROM stdin;
1	7711754350530327590/00000001	-7164077615753047167
\.

COPY idempotency (organization_id, environment, operation, key, body_sha256, outcome, created_at) FROM stdin;
01a20f4e-e676-7ba5-982d-e546aec03ba7	sandbox	business.create	orchards	\\x078d70d971093bd8961c7acb080af4e94491038247e3adef78e5f5ab3179d8ec	{"data": {"person_ids": ["p_353L2jdYcKAIirgZPI0o0", "p_353L2jdYcKAIkRIJBQn4n"], "business_id": "b_353L2jdYcKAIhBh1wWu8q", "sales_info_id": "bsi_353L2jdYcKAIlXb8NBZXy"}}	2026-11-24 20:45:59.864+00
01a20f4e-e676-7ba5-982d-e546aec03ba7	sandbox	workflow.pricing.calculate	price	\\xcf0eb4bdca3a68d0ca13133d2507896827ce2f2681ee9af67eb01d2c98eb0961	{"data": {"evaluation_score": 600.375}}	2026-11-24 20:46:00.029+00
01a20f4e-e676-7ba5-982d-e546aec03ba7	sandbox	workflow.requiredDocument.calculate	calculate	\\xcf0eb4bdca3a68d0ca13133d2507896827ce2f2681ee9af67eb01d2c98eb0961	{"data": {"kept": [{"status": "NEEDS_REVIEW", "entity_id": "b_353L2jdYcKAIhBh1wWu8q", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_353L2k21bQB8daNaHrtun"}, {"status": "COMPLETED", "entity_id": "b_353L2jdYcKAIhBh1wWu8q", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_353L2k21bQB8dg60Givep"}, {"status": "PENDING", "entity_id": "b_353L2jdYcKAIhBh1wWu8q", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_353L2k21bQB8fpBS7Mnbe"}, {"status": "PENDING", "entity_id": "b_353L2jdYcKAIhBh1wWu8q", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_353L2k21bQB8hUix9sAmI"}, {"status": "PENDING", "entity_id": "w_353L2jhwaQvNtlG7gUZ9j", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_353L2k21bQB8hnbqTNppz"}, {"status": "PENDING", "entity_id": "b_353L2jdYcKAIhBh1wWu8q", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_353L2k21bQB8jazFMrLOL"}, {"status": "PENDING", "entity_id": "p_353L2jdYcKAIirgZPI0o0", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353L2k21bQB8kJJCv2T0y"}], "removed": [{"status": "INACTIVE", "entity_id": "p_353L2jdYcKAIkRIJBQn4n", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353L2k21bQB8lRhgQZCzE"}]}}	2026-11-24 20:46:00.353+00
01a20f4e-e676-7ba5-982d-e546aec03ba7	sandbox	workflow.requiredDocument.calculate	ended	\\x1fca8752c7707633697fa8f120d3487c82e4f9d234db5c8540c09ccd6ff9741d	{"refusal": {"code": "SYSTEM_RULE_VIOLATION", "message": "The workflow has ended and accepts no further changes.", "sub_code": "WORKFLOW_ENDED", "entity_id": "w_353L2kUgTCTPeheuAFq4V", "entity_type": "Workflow"}}	2026-11-24 20:46:00.5+00
01a20f4e-e676-7ba5-982d-e546aec03ba7	sandbox	webhook.key.create	key	\\x7f4d78efce0c335a4b7f5afb684467f3ba45ebb3eab1b75eb033f1ea4baf8e37	{"data": {"key_id": "whk_20261124_02", "status": "INACTIVE", "created_at": "2026-11-24T20:46:04.321Z"}}	2026-11-24 20:46:04.33+00
01a20f4e-e676-7ba5-982d-e546aec03ba7	sandbox	webhook.key.activate	activate	\\xba273776e1e4516173bd9c3fdb3d3852a59961d26340406290c10736be3bfa3b	{"data": {"key_id": "whk_20261124_02", "status": "ACTIVE", "activated_at": "2026-11-24T20:46:04.405Z"}}	2026-11-24 20:46:04.404+00
\.

COPY nonce (api_key, nonce, expires_at) FROM stdin;
sb_353L2i3CevpRsW3p9CczG	26TJ7LGXLXJHUV73ULVH6HX4XP	2026-11-24 21:01:06.092535+00
sb_353L2i3CevpRsW3p9CczG	2773BJOLXBXKOOT2J4TGJYEDG4	2026-11-24 21:00:59.8918+00
sb_353L2i3CevpRsW3p9CczG	2O7BZDHCVPLN6LMJJGJ3QA4TK7	2026-11-24 21:01:03.738146+00
sb_353L2i3CevpRsW3p9CczG	2RDHAS6OVGN5W3WHUXIDTMKJ3V	2026-11-24 21:01:00.130283+00
sb_353L2i3CevpRsW3p9CczG	2ZWF4TCPUZIJIR3V2L2DNNDH2D	2026-11-24 21:01:05.639949+00
sb_353L2i3CevpRsW3p9CczG	346KAD6LVKXEDVLCFERKZPHP2T	2026-11-24 21:01:05.298664+00
sb_353L2i3CevpRsW3p9CczG	3DVL2SBCBZL5M4OZGRWEO4OZ4V	2026-11-24 21:01:04.063339+00
sb_353L2i3CevpRsW3p9CczG	3NB4PYL3FFO2EHEJ7IU6AXLMRC	2026-11-24 21:01:05.29556+00
sb_353L2i3CevpRsW3p9CczG	3O655AWQ3Z4XQQHU5KWQASR23B	2026-11-24 21:01:05.518106+00
sb_353L2i3CevpRsW3p9CczG	4DO5Z42NUHYKT2MBJNG3T5ORDY	2026-11-24 21:01:00.141831+00
sb_353L2i3CevpRsW3p9CczG	4FDKHZ72HWTRNKERXWOULKJJZP	2026-11-24 21:01:05.555097+00
sb_353L2i3CevpRsW3p9CczG	4INHITR4CXCKWDO4XYSP6O3JFK	2026-11-24 21:01:04.700686+00
sb_353L2i3CevpRsW3p9CczG	4KEEFEHBSR53S3KOKEJPO2XIJW	2026-11-24 21:01:04.800872+00
sb_353L2i3CevpRsW3p9CczG	4TAYVBGTVFLWSMU7F66EVYTI77	2026-11-24 21:01:05.040662+00
sb_353L2i3CevpRsW3p9CczG	4ZR5THIUKIRLPMLJAKHZWDHQTA	2026-11-24 21:01:05.473389+00
sb_353L2i3CevpRsW3p9CczG	5624XBXGCWTWCSPUFNAUP4M2O7	2026-11-24 21:01:05.259788+00
sb_353L2i3CevpRsW3p9CczG	57ADHKC4N54PYNKU2NLW4ET2R6	2026-11-24 21:01:00.414155+00
sb_353L2i3CevpRsW3p9CczG	5INPCYAM5CGQPMNVTT7443BCN7	2026-11-24 21:01:05.657486+00
sb_353L2i3CevpRsW3p9CczG	5ISG6AAA7JIZWMBFLY2WSY3PY5	2026-11-24 21:01:03.805118+00
sb_353L2i3CevpRsW3p9CczG	5VINEUM5V3W5EKDSMKKPTEJSM3	2026-11-24 21:01:03.783366+00
sb_353L2i3CevpRsW3p9CczG	65GQLLCPPXDRJD5PSBKTIMSMMQ	2026-11-24 21:01:03.751673+00
sb_353L2i3CevpRsW3p9CczG	65QKWUOI6GYVNIKWYTFTECA4PX	2026-11-24 21:01:05.317378+00
sb_353L2i3CevpRsW3p9CczG	66SGCMA3MAVH5NDJETZPBDCA6V	2026-11-24 21:01:06.144506+00
sb_353L2i3CevpRsW3p9CczG	67BAPMRCAS35X3MQRCHCNJP6O2	2026-11-24 21:01:05.621131+00
sb_353L2i3CevpRsW3p9CczG	6CQZHMI7M6K5O4YVVBIEJX5N7P	2026-11-24 21:01:04.203436+00
sb_353L2i3CevpRsW3p9CczG	6UJVGITOGHUISL4MJ5JEZMOG4K	2026-11-24 21:01:05.222708+00
sb_353L2i3CevpRsW3p9CczG	6VULS4XX4KNGWYEJL3PUBN275H	2026-11-24 21:01:03.694547+00
sb_353L2i3CevpRsW3p9CczG	743D6IYPAB5EYOKIONEZJMAC6D	2026-11-24 21:01:06.09885+00
sb_353L2i3CevpRsW3p9CczG	74VRKHD3RQBOIJD2HAM45KIPGT	2026-11-24 21:01:05.569586+00
sb_353L2i3CevpRsW3p9CczG	75TJOAE5MDPN76L46OADFWVWSA	2026-11-24 21:01:05.562012+00
sb_353L2i3CevpRsW3p9CczG	7674A7Z46X3IJ46YXNYWC677BJ	2026-11-24 21:01:04.246055+00
sb_353L2i3CevpRsW3p9CczG	7DLD4LAF5BKVKYL7NYN2XAKA37	2026-11-24 21:01:05.632736+00
sb_353L2i3CevpRsW3p9CczG	7HQJLW2R2YEZDQVCLYSKO7FEET	2026-11-24 21:01:04.737539+00
sb_353L2i3CevpRsW3p9CczG	7XTKGMZC6ZCEFGFLMX7AJHSQ2Q	2026-11-24 21:01:04.44461+00
sb_353L2i3CevpRsW3p9CczG	A3MJGEGCHQNNSY5FJVHZEPG32B	2026-11-24 21:00:59.375607+00
sb_353L2i3CevpRsW3p9CczG	ADZXBSKCNZWGQHQEQCX6KUJJV6	2026-11-24 21:01:06.17371+00
sb_353L2i3CevpRsW3p9CczG	AEMSQIS6CBI4QXZWFFOZQORYIM	2026-11-24 21:01:05.361068+00
sb_353L2i3CevpRsW3p9CczG	AIIGXDY66JGI6XX36FKIBG7VU7	2026-11-24 21:00:59.834096+00
sb_353L2i3CevpRsW3p9CczG	AK4ARTVAVLIFAUL2UFHBYDFHSY	2026-11-24 21:01:06.095657+00
sb_353L2i3CevpRsW3p9CczG	APST3JCDZIIMST5QSXDF3D5SWE	2026-11-24 21:01:06.114639+00
sb_353L2i3CevpRsW3p9CczG	AUD2O5FJYBGCHWO5MUEVUSFSLZ	2026-11-24 21:01:05.636295+00
sb_353L2i3CevpRsW3p9CczG	AV7JMP2LF6S6RRDZFI36VB4OIW	2026-11-24 21:01:04.083295+00
sb_353L2i3CevpRsW3p9CczG	AZCTH5RTA5OLI425VAIPXKS7P2	2026-11-24 21:01:05.381225+00
sb_353L2i3CevpRsW3p9CczG	B27LFUAB4NUSHZ37APETLICAAK	2026-11-24 21:01:05.402998+00
sb_353L2i3CevpRsW3p9CczG	B3M4HV5QNFS3EXDRUBZVLMPWOB	2026-11-24 21:01:05.64605+00
sb_353L2i3CevpRsW3p9CczG	B3MTX5AM4JYP3LRXXUQTF4F5MO	2026-11-24 21:01:05.36756+00
sb_353L2i3CevpRsW3p9CczG	B4N5WUK6RRQDIDE5KX7SQQ2ZE3	2026-11-24 21:01:05.265473+00
sb_353L2i3CevpRsW3p9CczG	B4QOTDGUQ6ZUUWFTWN6EXCQMFE	2026-11-24 21:01:05.15897+00
sb_353L2i3CevpRsW3p9CczG	B6LQS5WLIKXNQMJVIY26TQ6U6R	2026-11-24 21:01:05.539086+00
sb_353L2i3CevpRsW3p9CczG	BG6Z2KFBGXIIM2LNIH4IZ7D5DC	2026-11-24 21:01:05.54697+00
sb_353L2i3CevpRsW3p9CczG	BM3XVAHSJXXM3BJVEPWTT3NGWY	2026-11-24 21:01:05.240732+00
sb_353L2i3CevpRsW3p9CczG	BRZVKS4EFE36ZXWU6R3KBAMO66	2026-11-24 21:01:05.543775+00
sb_353L2i3CevpRsW3p9CczG	BTX3K5SDBPYKFW4RLQDDSOQKVG	2026-11-24 21:00:59.695786+00
sb_353L2i3CevpRsW3p9CczG	BYDLAWJNEKDODMZ246R5JOM2AE	2026-11-24 21:01:05.206417+00
sb_353L2i3CevpRsW3p9CczG	C6IFMNSDBNCN2435EB74QUWP2Y	2026-11-24 21:01:00.252384+00
sb_353L2i3CevpRsW3p9CczG	CAMBAOTZWQ33XUXUH7TWYSIAM4	2026-11-24 21:01:05.284342+00
sb_353L2i3CevpRsW3p9CczG	CCPZHQOT7KXBR374E6QAHTYUJO	2026-11-24 21:01:04.377111+00
sb_353L2i3CevpRsW3p9CczG	CCZQM7S2YZHDV3QBWHX3ZJLGC2	2026-11-24 21:01:06.152837+00
sb_353L2i3CevpRsW3p9CczG	CF4J2AUNOUPOQFBUTGQQLRWUIG	2026-11-24 21:00:59.801752+00
sb_353L2i3CevpRsW3p9CczG	CO4R25MS7RTJD6VSNDIO3N25VL	2026-11-24 21:01:05.256295+00
sb_353L2i3CevpRsW3p9CczG	CUBSCVEBPE6THIE54IHJVG4J4E	2026-11-24 21:01:05.358208+00
sb_353L2i3CevpRsW3p9CczG	CZIYHX5LUPXJJRK4NHULMXK2ZT	2026-11-24 21:00:59.884164+00
sb_353L2i3CevpRsW3p9CczG	CZZN5ECTXDOQIXVZHGBDDLQIWK	2026-11-24 21:01:03.726199+00
sb_353L2i3CevpRsW3p9CczG	D2V4DWMUNEHWDJKNIKMLGEOPYJ	2026-11-24 21:01:04.675958+00
sb_353L2i3CevpRsW3p9CczG	D4G4VOZSJTAEUA7XGSD5A4XPD6	2026-11-24 21:01:00.233261+00
sb_353L2i3CevpRsW3p9CczG	D4SHN6ELMHMFX7ZLS3NYVYCBX2	2026-11-24 21:01:05.532989+00
sb_353L2i3CevpRsW3p9CczG	DHMDPSIB2ULDFKFV6BOP25MYLS	2026-11-24 21:01:04.276075+00
sb_353L2i3CevpRsW3p9CczG	DMINPXE5P34LVFV4FGL6R3Z5FG	2026-11-24 21:01:05.574475+00
sb_353L2i3CevpRsW3p9CczG	DTJE2NQ73OJZ6NSNT4CSOXGREI	2026-11-24 21:01:04.495719+00
sb_353L2i3CevpRsW3p9CczG	DVYWLSWSK32F6O5NCLDVN72ZXO	2026-11-24 21:01:06.088774+00
sb_353L2i3CevpRsW3p9CczG	DXSXDMVABC4GINMA4EJ7WZWKRU	2026-11-24 21:01:04.253546+00
sb_353L2i3CevpRsW3p9CczG	DY7IY45H366AHZNQLZG7NHZ72Y	2026-11-24 21:00:59.792407+00
sb_353L2i3CevpRsW3p9CczG	E4GBSSE5CQ7XVFSYTUT43CSD5M	2026-11-24 21:01:04.776861+00
sb_353L2i3CevpRsW3p9CczG	EKMLAMPECQ2XGJSQETJTNKENVG	2026-11-24 21:01:05.521862+00
sb_353L2i3CevpRsW3p9CczG	ENJQ5N37GFRV72JXZOU7QZWANQ	2026-11-24 21:01:05.239582+00
sb_353L2i3CevpRsW3p9CczG	EOT4ITDNEFHAA2TLAAQWG5UNAV	2026-11-24 21:01:04.183928+00
sb_353L2i3CevpRsW3p9CczG	EPCBRS3YM25IHZP563UMDUBO4A	2026-11-24 21:01:05.201187+00
sb_353L2i3CevpRsW3p9CczG	ER4B7SZLDNWDMFRNWJVSARJS6A	2026-11-24 21:01:06.167019+00
sb_353L2i3CevpRsW3p9CczG	ERTY274MTKCK6V4KVBN22GDT5O	2026-11-24 21:01:05.603848+00
sb_353L2i3CevpRsW3p9CczG	ESYHUSU3XOYZKZ5OXJQMY2CINW	2026-11-24 21:00:59.510207+00
sb_353L2i3CevpRsW3p9CczG	F4O6ZMJIOXRCG6WIMQCJENI5XL	2026-11-24 21:01:06.162763+00
sb_353L2i3CevpRsW3p9CczG	F5ERASMUVB46A5BGWMJL3IU2GX	2026-11-24 21:01:00.047065+00
sb_353L2i3CevpRsW3p9CczG	F6I6HDMZZNPTYTB6QSSYLA2MM5	2026-11-24 21:01:03.962626+00
sb_353L2i3CevpRsW3p9CczG	FFXUIAA4X63J7TGEHFLBAVRDI4	2026-11-24 21:01:04.53705+00
sb_353L2i3CevpRsW3p9CczG	FH2WAEFJCOJPWG6NOIAJEIZ5FW	2026-11-24 21:01:06.155559+00
sb_353L2i3CevpRsW3p9CczG	FWLBU23FAIYWZLN6SEWTE3ZFCB	2026-11-24 21:01:04.257713+00
sb_353L2i3CevpRsW3p9CczG	G4FIEEV2LYHF2DDTWPB7C56B6G	2026-11-24 21:01:04.656315+00
sb_353L2i3CevpRsW3p9CczG	GLC66JVKXUZMGRTXRVZOXGMPIF	2026-11-24 21:01:00.448401+00
sb_353L2i3CevpRsW3p9CczG	GNRLGQDCJCFXTMFSC5R56QAJAQ	2026-11-24 21:01:05.61304+00
sb_353L2i3CevpRsW3p9CczG	GQAWHK35INCGKP6PMM3XPX5EO5	2026-11-24 21:01:06.081073+00
sb_353L2i3CevpRsW3p9CczG	GWXR5NADGURMI3727M5GM2RYX7	2026-11-24 21:01:05.384134+00
sb_353L2i3CevpRsW3p9CczG	H4SGVAKELX6YLDOFOOVRY3AS4P	2026-11-24 21:01:04.998698+00
sb_353L2i3CevpRsW3p9CczG	HFETZOMW6KOUH7FSJL4Q3USQLN	2026-11-24 21:01:05.559009+00
sb_353L2i3CevpRsW3p9CczG	HFZQ6KZ3VREVGVV4GI53IT75QO	2026-11-24 21:00:59.768827+00
sb_353L2i3CevpRsW3p9CczG	HIP65WIP3B75RAXCTY3QRLMCEZ	2026-11-24 21:01:05.659824+00
sb_353L2i3CevpRsW3p9CczG	HJIUJVCK7CI4PVL4NQEGZFJHQA	2026-11-24 21:01:00.30395+00
sb_353L2i3CevpRsW3p9CczG	HLQXRNO3UPNMVP66NW73BBXYW4	2026-11-24 21:01:03.672804+00
sb_353L2i3CevpRsW3p9CczG	HMMF446ZEVDT2VRDTR2K6YEODB	2026-11-24 21:01:00.529905+00
sb_353L2i3CevpRsW3p9CczG	HN6IRT4IZOMB5ACOFYWHUN4ZA6	2026-11-24 21:01:06.120862+00
sb_353L2i3CevpRsW3p9CczG	HOFDMY5A6CGNCM5KBEAO5L7NT7	2026-11-24 21:01:00.171782+00
sb_353L2i3CevpRsW3p9CczG	IEKNURD7ZI6K3IBDUXH6TIY3BA	2026-11-24 21:01:06.069649+00
sb_353L2i3CevpRsW3p9CczG	IFDYV7BJ4EYINLBU5WILYQCFDQ	2026-11-24 21:01:00.395166+00
sb_353L2i3CevpRsW3p9CczG	IINDGFFDUAYMIJ2B54BYFL4K7M	2026-11-24 21:01:05.08798+00
sb_353L2i3CevpRsW3p9CczG	IIVPUPLJQIN76AKRCDYPGW2NBX	2026-11-24 21:01:06.126873+00
sb_353L2i3CevpRsW3p9CczG	JP2NSGEEMVKK7OET7H4YIBPJHW	2026-11-24 21:01:05.551652+00
sb_353L2i3CevpRsW3p9CczG	JSBV55PXH76KBO7TCAJCJYM2QT	2026-11-24 21:01:05.615462+00
sb_353L2i3CevpRsW3p9CczG	JSVDGMC7W32QY3WA22CI6LFXSD	2026-11-24 21:01:05.214671+00
sb_353L2i3CevpRsW3p9CczG	JV3WX7WYWG5GETYPD43K2ONW6V	2026-11-24 21:01:05.107246+00
sb_353L2i3CevpRsW3p9CczG	KB22RE6FDHN4WNFRSKTIZC4SR5	2026-11-24 21:00:59.859785+00
sb_353L2i3CevpRsW3p9CczG	KIDGOFDTNW7KHSOCX5F64L3M7P	2026-11-24 21:01:06.182594+00
sb_353L2i3CevpRsW3p9CczG	KVDIHI4W4MYNUIPXBIZRHGGGGI	2026-11-24 21:01:06.102563+00
sb_353L2i3CevpRsW3p9CczG	KX7ZV2DKMDB4VPG4VCZRH7JW5Y	2026-11-24 21:01:00.487219+00
sb_353L2i3CevpRsW3p9CczG	KZQAFVJHABK5DA6VGZYA7QELZL	2026-11-24 21:01:03.742622+00
sb_353L2i3CevpRsW3p9CczG	L6I6CQEANHRMNGYSIUEY7PLM25	2026-11-24 21:01:05.525587+00
sb_353L2i3CevpRsW3p9CczG	LAASQE3AEU2XJHCZRRQD5SNN7R	2026-11-24 21:01:04.103383+00
sb_353L2i3CevpRsW3p9CczG	LANHXIO4SZJCEPEZX2HFWNYWNA	2026-11-24 21:01:04.043492+00
sb_353L2i3CevpRsW3p9CczG	LC7VN5QYEXZPALMILR7SPCQ4QQ	2026-11-24 21:01:06.07609+00
sb_353L2i3CevpRsW3p9CczG	LKUN4ZOXUHDD2PQO34ZYXPDXC7	2026-11-24 21:01:05.583997+00
sb_353L2i3CevpRsW3p9CczG	LPMKD2JOHL4P5P3HOILLJ4J7FK	2026-11-24 21:01:03.802264+00
sb_353L2i3CevpRsW3p9CczG	LQV3VPCYOVG7DG7BEWKXL2AT74	2026-11-24 21:01:05.626552+00
sb_353L2i3CevpRsW3p9CczG	LWDAIBSC3XWWDDYPL2IDLQQGY2	2026-11-24 21:01:05.375871+00
sb_353L2i3CevpRsW3p9CczG	LZHSBDOP4TVWYAWZTDS374NEBL	2026-11-24 21:01:04.517105+00
sb_353L2i3CevpRsW3p9CczG	M53W34AGALOQJN7ZPLDD2VJR64	2026-11-24 21:01:03.747316+00
sb_353L2i3CevpRsW3p9CczG	MCVAIOGTOKGTF2MV55VFX4OURF	2026-11-24 21:01:05.274423+00
sb_353L2i3CevpRsW3p9CczG	MCYUNHLFHGBJIMQHUQLKLFNVAZ	2026-11-24 21:01:03.702716+00
sb_353L2i3CevpRsW3p9CczG	MDPATQHM3RT44BNIOD5F2FEBN5	2026-11-24 21:01:00.221858+00
sb_353L2i3CevpRsW3p9CczG	MHIEJKJ5JFAKWKCETM6RSIQEBH	2026-11-24 21:01:05.302706+00
sb_353L2i3CevpRsW3p9CczG	MJ5MDWIFJKUFDHIWEKN3WT2ZKM	2026-11-24 21:01:05.52811+00
sb_353L2i3CevpRsW3p9CczG	MRMONW6YOLYS52GC67JQGSDNFI	2026-11-24 21:01:05.57959+00
sb_353L2i3CevpRsW3p9CczG	MYSZ5Q3R37NEGX6QSZI7MM3YCF	2026-11-24 21:01:06.187146+00
sb_353L2i3CevpRsW3p9CczG	NBEK3URUT2EXUOMLT5HHBMYQCO	2026-11-24 21:00:59.671995+00
sb_353L2i3CevpRsW3p9CczG	NI3NOK7PAA4TMQRWWGLVIH32EQ	2026-11-24 21:01:05.388425+00
sb_353L2i3CevpRsW3p9CczG	NOKOVTTBWZFLUUJT2APIYYIYDQ	2026-11-24 21:01:05.338833+00
sb_353L2i3CevpRsW3p9CczG	NR7GSSYDIJ3WZ7TJSXPALVK4M4	2026-11-24 21:01:06.18042+00
sb_353L2i3CevpRsW3p9CczG	OAUT5STEKQQGI473ULCW7FLWP2	2026-11-24 21:01:05.354113+00
sb_353L2i3CevpRsW3p9CczG	OCAMENWUXDZCTYNITOJQSZRXVF	2026-11-24 21:01:04.123285+00
sb_353L2i3CevpRsW3p9CczG	OCYOK56C4JF3VQF3UC5REHZF2U	2026-11-24 21:01:06.148013+00
sb_353L2i3CevpRsW3p9CczG	ODLZM4XVBYVM3KZELRHKT5GT5A	2026-11-24 21:01:05.246842+00
sb_353L2i3CevpRsW3p9CczG	OOZFUA4ZJ2R4IBHTAUCGCOONSV	2026-11-24 21:01:04.637262+00
sb_353L2i3CevpRsW3p9CczG	OXWGAAX53CQ2HAUDWEOTZP6BXB	2026-11-24 21:01:05.306979+00
sb_353L2i3CevpRsW3p9CczG	P7C55QGZXZ6BANYLD2V7UFTOLJ	2026-11-24 21:01:03.731115+00
sb_353L2i3CevpRsW3p9CczG	PBAAPVBWSIM7KOEDBGN6RFKDL5	2026-11-24 21:01:05.592056+00
sb_353L2i3CevpRsW3p9CczG	PCDS7YNCTYZ6RCCMGVRW6VLONV	2026-11-24 21:01:05.348364+00
sb_353L2i3CevpRsW3p9CczG	PLJTJFHQCSNRJZP2QIKCYLNWSK	2026-11-24 21:01:06.176672+00
sb_353L2i3CevpRsW3p9CczG	POUKDQQ3AGRBPEHDWNH46KXD2D	2026-11-24 21:01:04.143261+00
sb_353L2i3CevpRsW3p9CczG	PWXXEN5JEEZCNSCNZMK2RWTY2F	2026-11-24 21:01:06.141484+00
sb_353L2i3CevpRsW3p9CczG	PY2IWOWREV7HWORG4TQWN7RMJP	2026-11-24 21:01:05.654887+00
sb_353L2i3CevpRsW3p9CczG	Q6S7UBY7CM3EXFDW2FJ7PJIVID	2026-11-24 21:01:00.535945+00
sb_353L2i3CevpRsW3p9CczG	QAI5OEK7FCZUFXHMRPXLWVDRGE	2026-11-24 21:01:03.76167+00
sb_353L2i3CevpRsW3p9CczG	QATULLPE3IZX6JTOUZ7UDIC22G	2026-11-24 21:01:05.289709+00
sb_353L2i3CevpRsW3p9CczG	QDSLUZ6SP6OPO7DHIJ3ZROB7HJ	2026-11-24 21:01:03.951239+00
sb_353L2i3CevpRsW3p9CczG	QMOZEAYHBMDIYM37GLH6AYRC3U	2026-11-24 21:01:06.084804+00
sb_353L2i3CevpRsW3p9CczG	QUZCD2GQ2BYZXDTVZ5QG3MMCQZ	2026-11-24 21:01:04.414522+00
sb_353L2i3CevpRsW3p9CczG	QVZIY2EDYWLWFZO6E5EYGMRIYX	2026-11-24 21:01:06.105979+00
sb_353L2i3CevpRsW3p9CczG	QXDFA5VQUKGZ74PLV7H4UPGVJX	2026-11-24 21:01:04.556005+00
sb_353L2i3CevpRsW3p9CczG	QYFPOKM4W6TKTBBKL6C3GQY4VG	2026-11-24 21:00:59.787364+00
sb_353L2i3CevpRsW3p9CczG	R5US6RP6IGWALD5VUVR7CY4UHD	2026-11-24 21:01:05.207998+00
sb_353L2i3CevpRsW3p9CczG	R7XGAY5J4MWD4P6EIZHBDOFCYK	2026-11-24 21:01:06.109277+00
sb_353L2i3CevpRsW3p9CczG	RLQJ5BNT7QNRRNOOYAKKD2BH5E	2026-11-24 21:01:00.383713+00
sb_353L2i3CevpRsW3p9CczG	RV7LOHGAJRTAJC77SUYDDPVDDI	2026-11-24 21:01:06.159423+00
sb_353L2i3CevpRsW3p9CczG	S5GVZSNUS4FLXLDYBQD6K5QMLB	2026-11-24 21:01:05.251499+00
sb_353L2i3CevpRsW3p9CczG	SLOF46QG4QFQCBMVMZYSURFC27	2026-11-24 21:01:04.616238+00
sb_353L2i3CevpRsW3p9CczG	SV2QWEAR6YTKCB3VQLLINPAZIF	2026-11-24 21:01:05.598916+00
sb_353L2i3CevpRsW3p9CczG	SVNRGZG3ZUZFIEPGJC7D5GFQMC	2026-11-24 21:01:05.243805+00
sb_353L2i3CevpRsW3p9CczG	TGGWV5HP4FSZQRBVJ3I4DTPN4T	2026-11-24 21:01:05.398342+00
sb_353L2i3CevpRsW3p9CczG	THIFYP54PVXWJZ5DSO2BKQ2U7R	2026-11-24 21:01:03.98383+00
sb_353L2i3CevpRsW3p9CczG	TOQVUOIUN3K73HYSAKDGN6G726	2026-11-24 21:01:04.476228+00
sb_353L2i3CevpRsW3p9CczG	TZP3ZEFMZCGOF6IYPNEZU5AR5Q	2026-11-24 21:01:04.596159+00
sb_353L2i3CevpRsW3p9CczG	U2QLLTDOPZOSXUFNN4RLJ4RKB2	2026-11-24 21:01:06.169946+00
sb_353L2i3CevpRsW3p9CczG	U33ULOANOCMT6E5WAN232URXGI	2026-11-24 21:01:04.022745+00
sb_353L2i3CevpRsW3p9CczG	UFPQ7WXGC6EBVTQMBIEX4A3FJ6	2026-11-24 21:01:06.135222+00
sb_353L2i3CevpRsW3p9CczG	UGUMXNY6Q35LGMRAZG777QASD3	2026-11-24 21:01:05.650211+00
sb_353L2i3CevpRsW3p9CczG	UJ4JTE4GFPIQHDGJPSXA365CIS	2026-11-24 21:01:05.182493+00
sb_353L2i3CevpRsW3p9CczG	UJUDO4VFYXXCS4PHEQQ7C22BNW	2026-11-24 21:01:05.312023+00
sb_353L2i3CevpRsW3p9CczG	UKXFVX6YBU5JXI3352YHV5YID5	2026-11-24 21:01:06.123768+00
sb_353L2i3CevpRsW3p9CczG	UN34G4CYIJOAR36GLM6HZAZISV	2026-11-24 21:00:59.900972+00
sb_353L2i3CevpRsW3p9CczG	UQDXMOMEHAD63RY7L4M4VXSGTL	2026-11-24 21:01:04.223573+00
sb_353L2i3CevpRsW3p9CczG	UWCQBF3C3GGWDVBT3FPX22IEKU	2026-11-24 21:01:05.15424+00
sb_353L2i3CevpRsW3p9CczG	UWLFEPEN2SIJHQ6FRU6YVCTUZ4	2026-11-24 21:01:05.588085+00
sb_353L2i3CevpRsW3p9CczG	V5AWBSOVKCUT3AIMDFBJPZPO75	2026-11-24 21:01:00.197288+00
sb_353L2i3CevpRsW3p9CczG	V6XET7NY4P5Q2M236LKKQUFKX4	2026-11-24 21:01:04.261443+00
sb_353L2i3CevpRsW3p9CczG	VHSR625SPYCNJHAJBPLTW2PKAW	2026-11-24 21:01:06.131359+00
sb_353L2i3CevpRsW3p9CczG	VLAW3XA7HUGWSHMCNU7UG4I5WM	2026-11-24 21:01:05.618446+00
sb_353L2i3CevpRsW3p9CczG	VWZPT6B7Q7A453THHNDVPZTMFA	2026-11-24 21:01:05.39254+00
sb_353L2i3CevpRsW3p9CczG	WDYREZRNA2V5SAQ2TDBMQQSMVZ	2026-11-24 21:01:00.481304+00
sb_353L2i3CevpRsW3p9CczG	WPATDFZRCRVU4CWMVUWB2DABAL	2026-11-24 21:01:04.456438+00
sb_353L2i3CevpRsW3p9CczG	WVKT2MMPNTUZ7BE4LDUDS7AVMH	2026-11-24 21:01:04.576237+00
sb_353L2i3CevpRsW3p9CczG	WVXIHW2HW7IJNYMBHRGPQTCSC5	2026-11-24 21:01:05.610752+00
sb_353L2i3CevpRsW3p9CczG	WWEV53BWCQOPWPSVIYEP5TRKKS	2026-11-24 21:01:05.322965+00
sb_353L2i3CevpRsW3p9CczG	WZZBXQNUGYIMHIKTGGXMGTR65R	2026-11-24 21:01:04.755912+00
sb_353L2i3CevpRsW3p9CczG	X7C5O2OQ5PWUVBNW47VAMIAPSG	2026-11-24 21:01:05.607892+00
sb_353L2i3CevpRsW3p9CczG	XJTPDAEQP46WI7AU43Q6GKMYT5	2026-11-24 21:01:05.212581+00
sb_353L2i3CevpRsW3p9CczG	XRL74JMKJY4XFGPMTC34ZIDTUL	2026-11-24 21:01:03.756633+00
sb_353L2i3CevpRsW3p9CczG	XUB4ATP3SMGJD43EO7BWE47GXP	2026-11-24 21:00:59.926855+00
sb_353L2i3CevpRsW3p9CczG	XUMBWYFLCYAH3JBAY77NNA7HOZ	2026-11-24 21:00:59.816868+00
sb_353L2i3CevpRsW3p9CczG	YAXWK6B6EBVQOHSPZ5DVPTB264	2026-11-24 21:01:00.406784+00
sb_353L2i3CevpRsW3p9CczG	YETBLHS635PLGP7YUOGK5FO7CC	2026-11-24 21:01:06.117506+00
sb_353L2i3CevpRsW3p9CczG	YJRKPS6VOUK7E6AM6UXR522XLB	2026-11-24 21:01:06.111827+00
sb_353L2i3CevpRsW3p9CczG	YKJY3Q32B4LBQN3TFXYQHJAZUG	2026-11-24 21:01:05.330578+00
sb_353L2i3CevpRsW3p9CczG	YL4YU4PWOCX5XDDPOVSVDP6GHD	2026-11-24 21:01:05.147508+00
sb_353L2i3CevpRsW3p9CczG	YXM6NIDZBTRVY437GF3HSS7GRJ	2026-11-24 21:01:04.73255+00
sb_353L2i3CevpRsW3p9CczG	Z2N7GNAIPW4IEE5VSSXLELMRGV	2026-11-24 21:01:04.164611+00
sb_353L2i3CevpRsW3p9CczG	Z3ZIF7QFVCPL6KEPJQL6EYW7YB	2026-11-24 21:01:06.138988+00
sb_353L2i3CevpRsW3p9CczG	Z42VTHWW4IGISSYVKCV2PEGTOR	2026-11-24 21:00:59.777834+00
sb_353L2i3CevpRsW3p9CczG	ZDMKQJNS5TGVL5UCMWUNTCOOMD	2026-11-24 21:01:03.680224+00
sb_353L2i3CevpRsW3p9CczG	ZEZHMCLSAPTZTVEIG7V6ZZDWVV	2026-11-24 21:01:05.62986+00
sb_353L2i3CevpRsW3p9CczG	ZFN5TPQ2RTX6BPTRXILDHYBWXI	2026-11-24 21:01:04.243187+00
sb_353L2i3CevpRsW3p9CczG	ZSOA6MCCE44W4KFFMSDAYBISNS	2026-11-24 21:01:04.003126+00
sb_353L2i7afOZwH9UF0cwVS	76UQIE7XSMHQFZMPPSP5BZMYVO	2026-11-24 21:01:05.237573+00
sb_353L2i7afOZwH9UF0cwVS	LCMC34UABI57MZHRLOSULDE2F6	2026-11-24 21:01:05.227352+00
sb_353L2iBmLEgNUShUIPelr	XG3RDYC3CHZFVWJV6OIVHMI3SA	2026-11-24 21:01:05.230185+00
\.

COPY organization (id, name, created_at) FROM stdin;
01a20f4e-e676-7ba5-982d-e546aec03ba7	Fictional Acquirer	2026-11-24 20:45:58.774+00
\.

COPY person (id, business_id, first_name, last_name, citizenship, ownership_percentage, date_of_birth, email, created_at, updated_at) FROM stdin;
01a20f4e-eab8-7000-800b-70e6ade8a2bc	01a20f4e-eab8-7000-800a-23d3070825c4	Ada	Unreal	DE	33.33	1980-02-29	ada@orchards.example	2026-11-24 20:45:59.864+00	2026-11-24 20:45:59.864+00
01a20f4e-eab8-7000-800c-a987ec35e96d	01a20f4e-eab8-7000-800a-23d3070825c4	Bo	Imagined	US	66.67	\N	\N	2026-11-24 20:45:59.864+00	2026-11-24 20:46:00.241+00
\.

COPY pricing_model (id, account_id, version, content, content_sha256, environment_version, cost_limit, published_at, published_by) FROM stdin;
01a20f4e-e77f-7000-8001-45f0c7c23a21	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	1	{"base":500.25,"rules":[{"name":"five years","when":"business_age_years >= 5","points":100.125},{"name":"high volume","when":"average_yearly_credit_sales > 1000000","points":-40},{"name":"known trade","when":"industry_category_code.exists(c, c == \\"5411\\")","points":30}]}	\\xb7ccfb98f755854a260f78076d9454574aca5c798f5f09a169fd5be934a4b7e6	1	6000000	2026-11-24 20:45:59.039+00	Priya
\.

COPY required_document (id, workflow_id, document_type_code, name, category, requirement_text, entity_type, entity_id, status, previous_status, reasons, created_at, updated_at) FROM stdin;
01a20f4e-ebb3-7000-8014-f442b52d5045	01a20f4e-eae5-7000-8010-64a8bfd70037	REGISTRATION	Registration	LEGAL	An extract of the register.	Business	b_353L2jdYcKAIhBh1wWu8q	NEEDS_REVIEW	\N	[{"rule": "always required", "facts": {}, "message": "Registration: always required, for the rule has no condition.", "version_id": "rul_353L2jbPecuAgs2LNWtth"}]	2026-11-24 20:46:00.115+00	2026-11-24 20:46:00.16+00
01a20f4e-ebb3-7000-8015-0691d76734e7	01a20f4e-eae5-7000-8010-64a8bfd70037	BANK_STATEMENTS	Bank statements	FINANCIAL	Three most recent statements.	Business	b_353L2jdYcKAIhBh1wWu8q	COMPLETED	\N	[{"rule": "average_monthly_credit_sales > 50000 || industry_category_code.exists(c, c in lists.high_risk)", "facts": {"average_monthly_credit_sales": 60000}, "message": "Bank statements: required because average monthly credit sales are 60000, more than 50000.", "version_id": "rul_353L2jbPecuAgs2LNWtth"}]	2026-11-24 20:46:00.115+00	2026-11-24 20:46:00.208+00
01a20f4e-ebb3-7000-8016-b0d5e611ad62	01a20f4e-eae5-7000-8010-64a8bfd70037	YEARLY_ACCOUNTS	Yearly accounts	FINANCIAL	The last yearly accounts.	Business	b_353L2jdYcKAIhBh1wWu8q	PENDING	\N	[{"rule": "average_yearly_credit_sales / 12 > 1000.5 && established_date < date(\\"2010-01-01\\")", "facts": {"established_date": "2001-02-28", "average_yearly_credit_sales": 720000.5}, "message": "Yearly accounts: required because average yearly credit sales divided by 12 is about 60000.041667, more than 1000.5; and the business's established date is 2001-02-28, before 2010-01-01.", "version_id": "rul_353L2jbPecuAgs2LNWtth"}]	2026-11-24 20:46:00.115+00	2026-11-24 20:46:00.115+00
01a20f4e-ebb3-7000-8017-fc76bcfdd25a	01a20f4e-eae5-7000-8010-64a8bfd70037	PRICE_LIST	Price list	TRADE	What is sold, at which price.	Business	b_353L2jdYcKAIhBh1wWu8q	PENDING	\N	[{"rule": "average_individual_sale < 20 || highest_ticket_sale >= 5000", "facts": {"average_individual_sale": 19.99}, "message": "Price list: required because the average individual sale is 19.99, less than 20.", "version_id": "rul_353L2jbPecuAgs2LNWtth"}]	2026-11-24 20:46:00.115+00	2026-11-24 20:46:00.115+00
01a20f4e-ebb3-7000-8018-38f39831e9bb	01a20f4e-eae5-7000-8010-64a8bfd70037	REVIEW	Review	RISK	A review by two persons.	Workflow	w_353L2jhwaQvNtlG7gUZ9j	PENDING	\N	[{"rule": "evaluation_score <= 640", "facts": {"evaluation_score": 600.375}, "message": "Review: required because the evaluation score is 600.375, at most 640.", "version_id": "rul_353L2jbPecuAgs2LNWtth"}]	2026-11-24 20:46:00.115+00	2026-11-24 20:46:00.115+00
01a20f4e-ebb3-7000-8019-9dae64a6f051	01a20f4e-eae5-7000-8010-64a8bfd70037	OWNERSHIP_CHART	Ownership	IDENTITY	Who owns what.	Business	b_353L2jdYcKAIhBh1wWu8q	PENDING	\N	[{"rule": "size(persons) > 1 && persons.exists(p, p.ownership_percentage >= 25)", "facts": {"persons": {"p_353L2jdYcKAIirgZPI0o0": {"ownership_percentage": 33.33}, "p_353L2jdYcKAIkRIJBQn4n": {"ownership_percentage": 66.67}}}, "message": "Ownership: required because the number of persons is 2, more than 1; the ownership percentage of person p_353L2jdYcKAIirgZPI0o0 is 33.33, at least 25; and the ownership percentage of person p_353L2jdYcKAIkRIJBQn4n is 66.67, at least 25.", "version_id": "rul_353L2jbPecuAgs2LNWtth"}]	2026-11-24 20:46:00.115+00	2026-11-24 20:46:00.115+00
01a20f4e-ebb3-7000-801a-2ba3b7f388f0	01a20f4e-eae5-7000-8010-64a8bfd70037	PASSPORT	Passport	IDENTITY	The photo page.	Person	p_353L2jdYcKAIirgZPI0o0	PENDING	\N	[{"rule": "person.citizenship != \\"US\\" && person.ownership_percentage >= 25", "facts": {"persons": {"p_353L2jdYcKAIirgZPI0o0": {"citizenship": "DE", "ownership_percentage": 33.33}}}, "message": "Passport: required because the citizenship of person p_353L2jdYcKAIirgZPI0o0 is DE, not US; and the ownership percentage of person p_353L2jdYcKAIirgZPI0o0 is 33.33, at least 25.", "version_id": "rul_353L2jbPecuAgs2LNWtth"}]	2026-11-24 20:46:00.115+00	2026-11-24 20:46:00.115+00
01a20f4e-ebb3-7000-801b-0d1b31cf678c	01a20f4e-eae5-7000-8010-64a8bfd70037	PASSPORT	Passport	IDENTITY	The photo page.	Person	p_353L2jdYcKAIkRIJBQn4n	INACTIVE	NEEDS_REVIEW	[{"rule": "person.citizenship != \\"US\\" && person.ownership_percentage >= 25", "facts": {"persons": {"p_353L2jdYcKAIkRIJBQn4n": {"citizenship": "NO", "ownership_percentage": 66.67}}}, "message": "Passport: required because the citizenship of person p_353L2jdYcKAIkRIJBQn4n is NO, not US; and the ownership percentage of person p_353L2jdYcKAIkRIJBQn4n is 66.67, at least 25.", "version_id": "rul_353L2jbPecuAgs2LNWtth"}]	2026-11-24 20:46:00.115+00	2026-11-24 20:46:00.369+00
01a20f4e-ed19-7000-802c-afd26001ba88	01a20f4e-ecd9-7000-8028-a26b0666428f	REGISTRATION	Registration	LEGAL	An extract of the register.	Business	b_353L2jdYcKAIhBh1wWu8q	PENDING	\N	[{"rule": "always required", "facts": {}, "message": "Registration: always required, for the rule has no condition.", "version_id": "rul_353L2jbPecuAgs2LNWtth"}]	2026-11-24 20:46:00.473+00	2026-11-24 20:46:00.473+00
01a20f4e-ed19-7000-802d-f0e7152c9679	01a20f4e-ecd9-7000-8028-a26b0666428f	BANK_STATEMENTS	Bank statements	FINANCIAL	Three most recent statements.	Business	b_353L2jdYcKAIhBh1wWu8q	PENDING	\N	[{"rule": "average_monthly_credit_sales > 50000 || industry_category_code.exists(c, c in lists.high_risk)", "facts": {"average_monthly_credit_sales": 60000}, "message": "Bank statements: required because average monthly credit sales are 60000, more than 50000.", "version_id": "rul_353L2jbPecuAgs2LNWtth"}]	2026-11-24 20:46:00.473+00	2026-11-24 20:46:00.473+00
01a20f4e-ed19-7000-802e-8e780b42cbeb	01a20f4e-ecd9-7000-8028-a26b0666428f	YEARLY_ACCOUNTS	Yearly accounts	FINANCIAL	The last yearly accounts.	Business	b_353L2jdYcKAIhBh1wWu8q	PENDING	\N	[{"rule": "average_yearly_credit_sales / 12 > 1000.5 && established_date < date(\\"2010-01-01\\")", "facts": {"established_date": "2001-02-28", "average_yearly_credit_sales": 720000.5}, "message": "Yearly accounts: required because average yearly credit sales divided by 12 is about 60000.041667, more than 1000.5; and the business's established date is 2001-02-28, before 2010-01-01.", "version_id": "rul_353L2jbPecuAgs2LNWtth"}]	2026-11-24 20:46:00.473+00	2026-11-24 20:46:00.473+00
01a20f4e-ed19-7000-802f-4a600e3d04ff	01a20f4e-ecd9-7000-8028-a26b0666428f	PRICE_LIST	Price list	TRADE	What is sold, at which price.	Business	b_353L2jdYcKAIhBh1wWu8q	PENDING	\N	[{"rule": "average_individual_sale < 20 || highest_ticket_sale >= 5000", "facts": {"average_individual_sale": 19.99}, "message": "Price list: required because the average individual sale is 19.99, less than 20.", "version_id": "rul_353L2jbPecuAgs2LNWtth"}]	2026-11-24 20:46:00.473+00	2026-11-24 20:46:00.473+00
01a20f4e-ed19-7000-8030-9075c2d295d0	01a20f4e-ecd9-7000-8028-a26b0666428f	REVIEW	Review	RISK	A review by two persons.	Workflow	w_353L2kUgTCTPeheuAFq4V	PENDING	\N	[{"rule": "evaluation_score <= 640", "facts": {"evaluation_score": 600.375}, "message": "Review: required because the evaluation score is 600.375, at most 640.", "version_id": "rul_353L2jbPecuAgs2LNWtth"}]	2026-11-24 20:46:00.473+00	2026-11-24 20:46:00.473+00
01a20f4e-ed19-7000-8031-2312584a9aa1	01a20f4e-ecd9-7000-8028-a26b0666428f	OWNERSHIP_CHART	Ownership	IDENTITY	Who owns what.	Business	b_353L2jdYcKAIhBh1wWu8q	PENDING	\N	[{"rule": "size(persons) > 1 && persons.exists(p, p.ownership_percentage >= 25)", "facts": {"persons": {"p_353L2jdYcKAIirgZPI0o0": {"ownership_percentage": 33.33}, "p_353L2jdYcKAIkRIJBQn4n": {"ownership_percentage": 66.67}}}, "message": "Ownership: required because the number of persons is 2, more than 1; the ownership percentage of person p_353L2jdYcKAIirgZPI0o0 is 33.33, at least 25; and the ownership percentage of person p_353L2jdYcKAIkRIJBQn4n is 66.67, at least 25.", "version_id": "rul_353L2jbPecuAgs2LNWtth"}]	2026-11-24 20:46:00.473+00	2026-11-24 20:46:00.473+00
01a20f4e-ed19-7000-8032-3a4c73a4dc3c	01a20f4e-ecd9-7000-8028-a26b0666428f	PASSPORT	Passport	IDENTITY	The photo page.	Person	p_353L2jdYcKAIirgZPI0o0	PENDING	\N	[{"rule": "person.citizenship != \\"US\\" && person.ownership_percentage >= 25", "facts": {"persons": {"p_353L2jdYcKAIirgZPI0o0": {"citizenship": "DE", "ownership_percentage": 33.33}}}, "message": "Passport: required because the citizenship of person p_353L2jdYcKAIirgZPI0o0 is DE, not US; and the ownership percentage of person p_353L2jdYcKAIirgZPI0o0 is 33.33, at least 25.", "version_id": "rul_353L2jbPecuAgs2LNWtth"}]	2026-11-24 20:46:00.473+00	2026-11-24 20:46:00.473+00
\.

COPY rule_set (id, account_id, version, content, content_sha256, comment, environment_version, cost_limit, published_at, published_by) FROM stdin;
01a20f4e-ea91-7000-8008-fd7f02e4b833	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	1	{"documents":[{"document_type_code":"REGISTRATION","name":"Registration","category":"LEGAL","requirement_text":"An extract of the register.","entity_type":"Business"}]}	\\x8478d1389811e11dddd8c8456460dbeea27f3558198675f38e8d625a8eb5cda0	\N	1	6000000	2026-11-24 20:45:59.825+00	back office
01a20f4e-eaa2-7000-8009-77baf8939ca9	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	2	{"lists":{"high_risk":["7995","5967"]},"documents":[{"document_type_code":"REGISTRATION","name":"Registration","category":"LEGAL","requirement_text":"An extract of the register.","entity_type":"Business"},{"document_type_code":"BANK_STATEMENTS","name":"Bank statements","category":"FINANCIAL","requirement_text":"Three most recent statements.","entity_type":"Business","when":"average_monthly_credit_sales > 50000 || industry_category_code.exists(c, c in lists.high_risk)"},{"document_type_code":"YEARLY_ACCOUNTS","name":"Yearly accounts","category":"FINANCIAL","requirement_text":"The last yearly accounts.","entity_type":"Business","when":"average_yearly_credit_sales / 12 > 1000.5 && established_date < date(\\"2010-01-01\\")"},{"document_type_code":"PRICE_LIST","name":"Price list","category":"TRADE","requirement_text":"What is sold, at which price.","entity_type":"Business","when":"average_individual_sale < 20 || highest_ticket_sale >= 5000"},{"document_type_code":"BUSINESS_PLAN","name":"Business plan","category":"TRADE","requirement_text":"A plan of the first year.","entity_type":"Business","when":"business_age_months < 6 || business_age_years == 0"},{"document_type_code":"REVIEW","name":"Review","category":"RISK","requirement_text":"A review by two persons.","entity_type":"Workflow","when":"evaluation_score <= 640"},{"document_type_code":"OWNERSHIP_CHART","name":"Ownership","category":"IDENTITY","requirement_text":"Who owns what.","entity_type":"Business","when":"size(persons) > 1 && persons.exists(p, p.ownership_percentage >= 25)"},{"document_type_code":"PASSPORT","name":"Passport","category":"IDENTITY","requirement_text":"The photo page.","entity_type":"Person","when":"person.citizenship != \\"US\\" && person.ownership_percentage >= 25"}],"examples":[{"name":"nobody abroad","facts":{"as_of":"2026-01-01","evaluation_score":700,"average_monthly_credit_sales":1,"average_yearly_credit_sales":12,"average_individual_sale":50,"highest_ticket_sale":60,"established_date":"2001-01-01","industry_category_code":["5411"],"persons":[{"person_id":"p1","citizenship":"US","ownership_percentage":100}]},"expect":{"documents":[{"document_type_code":"REGISTRATION"}]}}]}	\\xb0a639b8168699e53f8aa9039668c14c34fc7e16da650643ed836017f88ce1ad	all facts	1	6000000	2026-11-24 20:45:59.842+00	back office
\.

COPY run_outcome (run_id, organization_id, environment, outcome, created_at) FROM stdin;
01a20f4e-e8e0-72b2-a12d-0670a0387f0c	01a20f4e-e676-7ba5-982d-e546aec03ba7	sandbox	{"key_id": "whk_20261124_01", "status": "INACTIVE", "created_at": "2026-11-24T20:45:59.392Z"}	2026-11-24 20:45:59.453+00
01a20f4e-e96a-7a88-b6db-eebf4d269962	01a20f4e-e676-7ba5-982d-e546aec03ba7	sandbox	{"key_id": "whk_20261124_01", "status": "ACTIVE", "activated_at": "2026-11-24T20:45:59.637Z"}	2026-11-24 20:45:59.602+00
01a20f4e-eb13-7c93-90b9-a3623b121804	01a20f4e-e676-7ba5-982d-e546aec03ba7	sandbox	{"evaluation_score": 600.375}	2026-11-24 20:46:00.029+00
01a20f4e-eb73-74fd-babc-1e4dc2844fc7	01a20f4e-e676-7ba5-982d-e546aec03ba7	sandbox	{"added": [{"status": "PENDING", "entity_id": "b_353L2jdYcKAIhBh1wWu8q", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_353L2k21bQB8daNaHrtun"}, {"status": "PENDING", "entity_id": "b_353L2jdYcKAIhBh1wWu8q", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_353L2k21bQB8dg60Givep"}, {"status": "PENDING", "entity_id": "b_353L2jdYcKAIhBh1wWu8q", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_353L2k21bQB8fpBS7Mnbe"}, {"status": "PENDING", "entity_id": "b_353L2jdYcKAIhBh1wWu8q", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_353L2k21bQB8hUix9sAmI"}, {"status": "PENDING", "entity_id": "w_353L2jhwaQvNtlG7gUZ9j", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_353L2k21bQB8hnbqTNppz"}, {"status": "PENDING", "entity_id": "b_353L2jdYcKAIhBh1wWu8q", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_353L2k21bQB8jazFMrLOL"}, {"status": "PENDING", "entity_id": "p_353L2jdYcKAIirgZPI0o0", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353L2k21bQB8kJJCv2T0y"}, {"status": "PENDING", "entity_id": "p_353L2jdYcKAIkRIJBQn4n", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353L2k21bQB8lRhgQZCzE"}]}	2026-11-24 20:46:00.108+00
01a20f4e-ec44-7ad1-8d14-e739be4d2931	01a20f4e-e676-7ba5-982d-e546aec03ba7	sandbox	{"evaluation_score": 600.375}	2026-11-24 20:46:00.279+00
01a20f4e-ec7d-78c9-b3a0-286997d1a841	01a20f4e-e676-7ba5-982d-e546aec03ba7	sandbox	{"kept": [{"status": "NEEDS_REVIEW", "entity_id": "b_353L2jdYcKAIhBh1wWu8q", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_353L2k21bQB8daNaHrtun"}, {"status": "COMPLETED", "entity_id": "b_353L2jdYcKAIhBh1wWu8q", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_353L2k21bQB8dg60Givep"}, {"status": "PENDING", "entity_id": "b_353L2jdYcKAIhBh1wWu8q", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_353L2k21bQB8fpBS7Mnbe"}, {"status": "PENDING", "entity_id": "b_353L2jdYcKAIhBh1wWu8q", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_353L2k21bQB8hUix9sAmI"}, {"status": "PENDING", "entity_id": "w_353L2jhwaQvNtlG7gUZ9j", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_353L2k21bQB8hnbqTNppz"}, {"status": "PENDING", "entity_id": "b_353L2jdYcKAIhBh1wWu8q", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_353L2k21bQB8jazFMrLOL"}, {"status": "PENDING", "entity_id": "p_353L2jdYcKAIirgZPI0o0", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353L2k21bQB8kJJCv2T0y"}], "removed": [{"status": "INACTIVE", "entity_id": "p_353L2jdYcKAIkRIJBQn4n", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353L2k21bQB8lRhgQZCzE"}]}	2026-11-24 20:46:00.353+00
01a20f4e-ece6-734f-954d-fcb0500083bc	01a20f4e-e676-7ba5-982d-e546aec03ba7	sandbox	{"evaluation_score": 600.375}	2026-11-24 20:46:00.442+00
01a20f4e-ed03-7dcb-955d-ccb5cfd11a95	01a20f4e-e676-7ba5-982d-e546aec03ba7	sandbox	{"added": [{"status": "PENDING", "entity_id": "b_353L2jdYcKAIhBh1wWu8q", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_353L2kavGrm9X3WHahQBk"}, {"status": "PENDING", "entity_id": "b_353L2jdYcKAIhBh1wWu8q", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_353L2kavGrm9Yflc0itUv"}, {"status": "PENDING", "entity_id": "b_353L2jdYcKAIhBh1wWu8q", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_353L2kavGrm9ZSxhhNb47"}, {"status": "PENDING", "entity_id": "b_353L2jdYcKAIhBh1wWu8q", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_353L2kavGrm9aPd6TcEdr"}, {"status": "PENDING", "entity_id": "w_353L2kUgTCTPeheuAFq4V", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_353L2kavGrm9c3RIP9avg"}, {"status": "PENDING", "entity_id": "b_353L2jdYcKAIhBh1wWu8q", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_353L2kavGrm9cnDKkldxJ"}, {"status": "PENDING", "entity_id": "p_353L2jdYcKAIirgZPI0o0", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353L2kavGrm9eCOTWjWNo"}]}	2026-11-24 20:46:00.471+00
01a20f4e-fa20-7bd6-9fbf-e592340204a5	01a20f4e-e676-7ba5-982d-e546aec03ba7	sandbox	{"count": 10}	2026-11-24 20:46:03.862+00
01a20f4e-fa20-7bd6-9fbf-e592340204a5/0	01a20f4e-e676-7ba5-982d-e546aec03ba7	sandbox	{"at": "2026-11-24T20:46:03.836Z", "count": 5}	2026-11-24 20:46:03.825+00
01a20f4e-fa20-7bd6-9fbf-e592340204a5/1	01a20f4e-e676-7ba5-982d-e546aec03ba7	sandbox	{"count": 5}	2026-11-24 20:46:03.838+00
01a20f4e-fa20-7bd6-9fbf-e592340204a5/2	01a20f4e-e676-7ba5-982d-e546aec03ba7	sandbox	{"count": 0}	2026-11-24 20:46:03.855+00
01a20f4e-fc21-70ad-8751-c498ec464ca7	01a20f4e-e676-7ba5-982d-e546aec03ba7	sandbox	{"key_id": "whk_20261124_02", "status": "INACTIVE", "created_at": "2026-11-24T20:46:04.321Z"}	2026-11-24 20:46:04.33+00
01a20f4e-fc60-7d83-a35e-6144ec724cf5	01a20f4e-e676-7ba5-982d-e546aec03ba7	sandbox	{"key_id": "whk_20261124_02", "status": "ACTIVE", "activated_at": "2026-11-24T20:46:04.405Z"}	2026-11-24 20:46:04.404+00
01a20f4e-fc80-7e32-b9e0-03c7d0542c44	01a20f4e-e676-7ba5-982d-e546aec03ba7	sandbox	{"key_id": "whk_20261124_03", "status": "INACTIVE", "created_at": "2026-11-24T20:46:04.417Z"}	2026-11-24 20:46:04.437+00
\.

COPY sales_amount (sales_info_id, type, value, currency, position) FROM stdin;
01a20f4e-eab8-7000-800d-844ccb756a9e	AVERAGE_INDIVIDUAL_SALE	19.99	USD	0
01a20f4e-eab8-7000-800d-844ccb756a9e	AVERAGE_MONTHLY_CREDIT_SALES	60000.00	USD	1
01a20f4e-eab8-7000-800d-844ccb756a9e	AVERAGE_YEARLY_CREDIT_SALES	720000.50	USD	2
01a20f4e-eab8-7000-800d-844ccb756a9e	HIGHEST_TICKET_SALE	9999999999999.99	USD	3
\.

COPY sales_info (id, business_id, created_at) FROM stdin;
01a20f4e-eab8-7000-800d-844ccb756a9e	01a20f4e-eab8-7000-800a-23d3070825c4	2026-11-24 20:45:59.864+00
\.

COPY schedule_success (schedule, at) FROM stdin;
prune	2026-11-24 20:45:58.624505+00
reconcile	2026-11-24 20:46:00.748+00
\.

COPY webhook_attempt (delivery_id, number, endpoint_id, outcome, key_id, started_at, duration_ms, status_code, error, response_body, address, probe, epoch, workflow_id, run_id, activity_id) FROM stdin;
01a20f4e-ea81-7b4a-9ace-81f553becd91	1	01a20f4e-ea6d-7000-8006-75857ff75240	SUCCEEDED	whk_20261124_01	2026-11-24 20:45:59.902+00	1	204	\N		127.0.0.1:39075	f	0	send/353L2jcCM3dUSPwSEBEz5	01a20f4e-eaac-71eb-8bfc-5d38a60e551d	
01a20f4e-eaef-7141-ab9f-57dbec0dfeae	1	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	SUCCEEDED	whk_20261124_01	2026-11-24 20:45:59.951+00	1	204	\N		127.0.0.1:39075	f	0	send/353L2jcCM3dUSPwSEBEz5	01a20f4e-eaac-71eb-8bfc-5d38a60e551d	
01a20f4e-eaef-7143-8f6c-13816a84c112	1	01a20f4e-ea68-7000-8005-c718bc4d7d45	FAILED	whk_20261124_01	2026-11-24 20:45:59.951+00	1	503	\N	down for maintenance\n	127.0.0.1:39075	f	0	send/353L2jcCM3dUSPwSEBEz5	01a20f4e-eaac-71eb-8bfc-5d38a60e551d	
01a20f4e-eaef-7165-a306-87de5095f306	1	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	SUCCEEDED	whk_20261124_01	2026-11-24 20:45:59.951+00	1	204	\N		127.0.0.1:39075	f	0	send/353L2jcCM3dUSPwSEBEz5	01a20f4e-eaac-71eb-8bfc-5d38a60e551d	
01a20f4e-eaef-7166-b1de-dd98092895c9	1	01a20f4e-ea5a-7000-8004-783945c1ecba	FAILED	whk_20261124_01	2026-11-24 20:45:59.951+00	1	\N	the connection was closed before the whole answer had come		127.0.0.1:39075	f	0	send/353L2jcCM3dUSPwSEBEz5	01a20f4e-eaac-71eb-8bfc-5d38a60e551d	
01a20f4e-eaef-7166-b1de-dd98092895c9	2	01a20f4e-ea5a-7000-8004-783945c1ecba	SUCCEEDED	whk_20261124_01	2026-11-24 20:46:03.94+00	0	204	\N		127.0.0.1:39075	f	1	whc_353L2jUOVFgq4PLE8l7py	e65e345c-ac93-4ada-a1f5-4cde39d88d05	36
01a20f4e-eb66-7bc9-8ebe-4796ee13bf17	1	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	SUCCEEDED	whk_20261124_01	2026-11-24 20:46:00.048+00	0	204	\N		127.0.0.1:39075	f	0	send/353L2jcCM3dUSPwSEBEz5	01a20f4e-eaac-71eb-8bfc-5d38a60e551d	
01a20f4e-ebb3-755c-9a71-5fa8a4d6eb07	1	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	SUCCEEDED	whk_20261124_01	2026-11-24 20:46:00.127+00	1	204	\N		127.0.0.1:39075	f	0	send/353L2jcCM3dUSPwSEBEz5	01a20f4e-eaac-71eb-8bfc-5d38a60e551d	
01a20f4e-ebe5-77c4-ad52-38711bcb2b2c	1	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	SUCCEEDED	whk_20261124_01	2026-11-24 20:46:00.168+00	1	204	\N		127.0.0.1:39075	f	0	send/353L2jcCM3dUSPwSEBEz5	01a20f4e-eaac-71eb-8bfc-5d38a60e551d	
01a20f4e-ebfc-7860-a2b2-929673565553	1	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	SUCCEEDED	whk_20261124_01	2026-11-24 20:46:00.199+00	0	204	\N		127.0.0.1:39075	f	0	send/353L2jcCM3dUSPwSEBEz5	01a20f4e-eaac-71eb-8bfc-5d38a60e551d	
01a20f4e-ec12-7005-b393-f8da6de94a9b	1	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	SUCCEEDED	whk_20261124_01	2026-11-24 20:46:00.254+00	4	204	\N		127.0.0.1:39075	f	0	send/353L2jcCM3dUSPwSEBEz5	01a20f4e-eaac-71eb-8bfc-5d38a60e551d	
01a20f4e-ec25-7d4b-ad98-c1906e9379a8	1	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	SUCCEEDED	whk_20261124_01	2026-11-24 20:46:00.254+00	4	204	\N		127.0.0.1:39075	f	0	send/353L2jcCM3dUSPwSEBEz5	01a20f4e-eaac-71eb-8bfc-5d38a60e551d	
01a20f4e-ec5b-7d83-821e-55352f26c977	1	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	SUCCEEDED	whk_20261124_01	2026-11-24 20:46:00.35+00	0	204	\N		127.0.0.1:39075	f	0	send/353L2jcCM3dUSPwSEBEz5	01a20f4e-eaac-71eb-8bfc-5d38a60e551d	
01a20f4e-ecb1-77af-abd3-c187e8845e8e	1	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	SUCCEEDED	whk_20261124_01	2026-11-24 20:46:00.396+00	0	204	\N		127.0.0.1:39075	f	0	send/353L2jcCM3dUSPwSEBEz5	01a20f4e-eaac-71eb-8bfc-5d38a60e551d	
01a20f4e-ecc5-7bc9-8473-60c3594eb820	1	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	SUCCEEDED	whk_20261124_01	2026-11-24 20:46:00.396+00	0	204	\N		127.0.0.1:39075	f	0	send/353L2jcCM3dUSPwSEBEz5	01a20f4e-eaac-71eb-8bfc-5d38a60e551d	
01a20f4e-ecc5-7bca-9bcf-9cafa32c568e	1	01a20f4e-ea68-7000-8005-c718bc4d7d45	FAILED	whk_20261124_01	2026-11-24 20:46:00.396+00	1	503	\N	down for maintenance\n	127.0.0.1:39075	f	0	send/353L2jcCM3dUSPwSEBEz5	01a20f4e-eaac-71eb-8bfc-5d38a60e551d	
01a20f4e-ecd2-781b-823e-d93cefacbd7f	1	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	SUCCEEDED	whk_20261124_01	2026-11-24 20:46:00.414+00	6	204	\N		127.0.0.1:39075	f	0	send/353L2jcCM3dUSPwSEBEz5	01a20f4e-eaac-71eb-8bfc-5d38a60e551d	
01a20f4e-ecd2-781d-9e55-cab9afa18611	1	01a20f4e-ea68-7000-8005-c718bc4d7d45	FAILED	whk_20261124_01	2026-11-24 20:46:00.414+00	6	503	\N	down for maintenance\n	127.0.0.1:39075	f	0	send/353L2jcCM3dUSPwSEBEz5	01a20f4e-eaac-71eb-8bfc-5d38a60e551d	
01a20f4e-ecd2-7838-bdc7-cb397f02d3f4	1	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	SUCCEEDED	whk_20261124_01	2026-11-24 20:46:00.414+00	7	204	\N		127.0.0.1:39075	f	0	send/353L2jcCM3dUSPwSEBEz5	01a20f4e-eaac-71eb-8bfc-5d38a60e551d	
01a20f4e-ecd2-7839-a30c-09343ad4266d	1	01a20f4e-ea5a-7000-8004-783945c1ecba	FAILED	whk_20261124_01	2026-11-24 20:46:00.414+00	7	\N	the connection was closed before the whole answer had come		127.0.0.1:39075	f	0	send/353L2jcCM3dUSPwSEBEz5	01a20f4e-eaac-71eb-8bfc-5d38a60e551d	
01a20f4e-ecd2-7839-a30c-09343ad4266d	2	01a20f4e-ea5a-7000-8004-783945c1ecba	SUCCEEDED	whk_20261124_01	2026-11-24 20:46:03.94+00	0	204	\N		127.0.0.1:39075	f	1	whc_353L2jUOVFgq4PLE8l7py	e65e345c-ac93-4ada-a1f5-4cde39d88d05	36
01a20f4e-ecda-73c4-990c-cf5acd010e44	1	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	SUCCEEDED	whk_20261124_01	2026-11-24 20:46:00.414+00	6	204	\N		127.0.0.1:39075	f	0	send/353L2jcCM3dUSPwSEBEz5	01a20f4e-eaac-71eb-8bfc-5d38a60e551d	
01a20f4e-ecda-73c5-a8f8-43c4a504fcb9	1	01a20f4e-ea68-7000-8005-c718bc4d7d45	FAILED	whk_20261124_01	2026-11-24 20:46:00.414+00	7	503	\N	down for maintenance\n	127.0.0.1:39075	f	0	send/353L2jcCM3dUSPwSEBEz5	01a20f4e-eaac-71eb-8bfc-5d38a60e551d	
01a20f4e-ecda-73db-b1fc-ca58139a5e07	1	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	SUCCEEDED	whk_20261124_01	2026-11-24 20:46:00.414+00	0	204	\N		127.0.0.1:39075	f	0	send/353L2jcCM3dUSPwSEBEz5	01a20f4e-eaac-71eb-8bfc-5d38a60e551d	
01a20f4e-ecda-73dc-b7a3-e2d04df2e4bd	1	01a20f4e-ea5a-7000-8004-783945c1ecba	FAILED	whk_20261124_01	2026-11-24 20:46:00.414+00	7	\N	the connection was closed before the whole answer had come		127.0.0.1:39075	f	0	send/353L2jcCM3dUSPwSEBEz5	01a20f4e-eaac-71eb-8bfc-5d38a60e551d	
01a20f4e-ecda-73dc-b7a3-e2d04df2e4bd	2	01a20f4e-ea5a-7000-8004-783945c1ecba	SUCCEEDED	whk_20261124_01	2026-11-24 20:46:03.94+00	0	204	\N		127.0.0.1:39075	f	1	whc_353L2jUOVFgq4PLE8l7py	e65e345c-ac93-4ada-a1f5-4cde39d88d05	36
01a20f4e-ecfb-7c02-91d9-cffd03ceb1ce	1	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	SUCCEEDED	whk_20261124_01	2026-11-24 20:46:00.447+00	1	204	\N		127.0.0.1:39075	f	0	send/353L2jcCM3dUSPwSEBEz5	01a20f4e-eaac-71eb-8bfc-5d38a60e551d	
01a20f4e-ed19-719e-8f56-9752277e4c5a	1	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	SUCCEEDED	whk_20261124_01	2026-11-24 20:46:00.48+00	0	204	\N		127.0.0.1:39075	f	0	send/353L2jcCM3dUSPwSEBEz5	01a20f4e-eaac-71eb-8bfc-5d38a60e551d	
01a20f4e-ed24-715f-beda-8343424e298d	1	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	SUCCEEDED	whk_20261124_01	2026-11-24 20:46:00.501+00	0	204	\N		127.0.0.1:39075	f	0	send/353L2jcCM3dUSPwSEBEz5	01a20f4e-eaac-71eb-8bfc-5d38a60e551d	
01a20f4e-ed24-715f-beda-8343424e298d	2	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	SUCCEEDED	whk_20261124_02	2026-11-24 20:46:04.916+00	2	204	\N		127.0.0.1:39075	f	0	whc_353L2jKwG2UuG8bcJidK2	caf08ca6-7401-463b-b0f2-a5b159db7214	6
01a20f4e-ed24-7161-bd16-abfcc9687226	1	01a20f4e-ea45-7000-8003-f2693f52dca0	FAILED	whk_20261124_01	2026-11-24 20:46:00.501+00	1	503	\N	down for maintenance\n	127.0.0.1:39075	f	0	send/353L2jcCM3dUSPwSEBEz5	01a20f4e-eaac-71eb-8bfc-5d38a60e551d	
01a20f4e-ed24-7162-8218-fe7656dc0350	1	01a20f4e-ea5a-7000-8004-783945c1ecba	FAILED	whk_20261124_01	2026-11-24 20:46:00.501+00	1	\N	the connection was closed before the whole answer had come		127.0.0.1:39075	f	0	send/353L2jcCM3dUSPwSEBEz5	01a20f4e-eaac-71eb-8bfc-5d38a60e551d	
01a20f4e-ed24-7162-8218-fe7656dc0350	2	01a20f4e-ea5a-7000-8004-783945c1ecba	SUCCEEDED	whk_20261124_01	2026-11-24 20:46:03.94+00	0	204	\N		127.0.0.1:39075	f	1	whc_353L2jUOVFgq4PLE8l7py	e65e345c-ac93-4ada-a1f5-4cde39d88d05	36
01a20f4e-ed67-726f-b703-0e001a666dd5	1	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	SUCCEEDED	whk_20261124_01	2026-11-24 20:46:00.557+00	1	204	\N		127.0.0.1:39075	f	0	send/353L2jcCM3dUSPwSEBEz5	01a20f4e-eaac-71eb-8bfc-5d38a60e551d	
01a20f4e-ed67-7270-a905-4687112512b0	1	01a20f4e-ea68-7000-8005-c718bc4d7d45	FAILED	whk_20261124_01	2026-11-24 20:46:00.557+00	1	503	\N	\N	127.0.0.1:39075	f	0	send/353L2jcCM3dUSPwSEBEz5	01a20f4e-eaac-71eb-8bfc-5d38a60e551d	
01a20f4e-ed67-729a-b7d2-eddef0c912cb	1	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	SUCCEEDED	whk_20261124_01	2026-11-24 20:46:00.557+00	1	204	\N		127.0.0.1:39075	f	0	send/353L2jcCM3dUSPwSEBEz5	01a20f4e-eaac-71eb-8bfc-5d38a60e551d	
01a20f4e-ed67-729b-94b6-7b01c0b8947b	1	01a20f4e-ea5a-7000-8004-783945c1ecba	FAILED	whk_20261124_01	2026-11-24 20:46:00.557+00	3	\N	the connection was closed before the whole answer had come		127.0.0.1:39075	f	0	send/353L2jcCM3dUSPwSEBEz5	01a20f4e-eaac-71eb-8bfc-5d38a60e551d	
01a20f4e-ed67-729b-94b6-7b01c0b8947b	2	01a20f4e-ea5a-7000-8004-783945c1ecba	SUCCEEDED	whk_20261124_01	2026-11-24 20:46:03.94+00	0	204	\N		127.0.0.1:39075	f	1	whc_353L2jUOVFgq4PLE8l7py	e65e345c-ac93-4ada-a1f5-4cde39d88d05	36
01a20f4e-ed8e-7de0-8d5f-a74757f216ba	1	01a20f4e-ea6d-7000-8006-75857ff75240	SUCCEEDED	whk_20261124_01	2026-11-24 20:46:00.626+00	2	204	\N		127.0.0.1:39075	f	0	send/353L2jcCM3dUSPwSEBEz5	01a20f4e-eaac-71eb-8bfc-5d38a60e551d	
01a20f4e-ed8e-7e04-a2c0-0be25bd23263	1	01a20f4e-ea6d-7000-8006-75857ff75240	SUCCEEDED	whk_20261124_01	2026-11-24 20:46:00.626+00	2	204	\N		127.0.0.1:39075	f	0	send/353L2jcCM3dUSPwSEBEz5	01a20f4e-eaac-71eb-8bfc-5d38a60e551d	
01a20f4e-f99e-751c-8517-0cd39d13409a	1	01a20f4e-ea5a-7000-8004-783945c1ecba	SUCCEEDED	whk_20261124_01	2026-11-24 20:46:03.868+00	0	204	\N		127.0.0.1:39075	f	1	send/353L2pjgdZsbTHmDevI4k	01a20f4e-f9e4-7af3-b896-546700b3c6d4	
01a20f4e-f9a4-7c70-9ba8-5cf74bbaef44	1	01a20f4e-ea5a-7000-8004-783945c1ecba	SUCCEEDED	whk_20261124_01	2026-11-24 20:46:03.868+00	0	204	\N		127.0.0.1:39075	f	1	send/353L2pjgdZsbTHmDevI4k	01a20f4e-f9e4-7af3-b896-546700b3c6d4	
01a20f4e-f9b4-7591-a81b-c4d013cf816e	1	01a20f4e-ea5a-7000-8004-783945c1ecba	SUCCEEDED	whk_20261124_01	2026-11-24 20:46:03.868+00	0	204	\N		127.0.0.1:39075	f	1	send/353L2pjgdZsbTHmDevI4k	01a20f4e-f9e4-7af3-b896-546700b3c6d4	
01a20f4e-f9c4-7aa7-a7d6-6b7310f339df	1	01a20f4e-ea5a-7000-8004-783945c1ecba	SUCCEEDED	whk_20261124_01	2026-11-24 20:46:03.868+00	0	204	\N		127.0.0.1:39075	f	1	send/353L2pjgdZsbTHmDevI4k	01a20f4e-f9e4-7af3-b896-546700b3c6d4	
01a20f4e-f9d0-72be-8238-3a9e85d4c3fd	1	01a20f4e-ea5a-7000-8004-783945c1ecba	SUCCEEDED	whk_20261124_01	2026-11-24 20:46:03.868+00	1	204	\N		127.0.0.1:39075	f	1	send/353L2pjgdZsbTHmDevI4k	01a20f4e-f9e4-7af3-b896-546700b3c6d4	
01a20f4e-f9db-7ad5-967c-0bdd8d38b0ac	1	01a20f4e-ea45-7000-8003-f2693f52dca0	FAILED	whk_20261124_01	2026-11-24 20:46:03.766+00	1	503	\N	down for maintenance\n	127.0.0.1:39075	f	0	send/353L2pjgdZsbTHmDevI4k	01a20f4e-f9e4-7af3-b896-546700b3c6d4	
01a20f4e-f9e0-7b1c-85f4-eaa57f4a22fc	1	01a20f4e-ea45-7000-8003-f2693f52dca0	FAILED	whk_20261124_01	2026-11-24 20:46:03.766+00	0	503	\N	down for maintenance\n	127.0.0.1:39075	f	0	send/353L2pjgdZsbTHmDevI4k	01a20f4e-f9e4-7af3-b896-546700b3c6d4	
01a20f4e-f9e5-78ee-85cc-b4d6ad28e21d	1	01a20f4e-ea45-7000-8003-f2693f52dca0	FAILED	whk_20261124_01	2026-11-24 20:46:03.766+00	1	503	\N	down for maintenance\n	127.0.0.1:39075	f	0	send/353L2pjgdZsbTHmDevI4k	01a20f4e-f9e4-7af3-b896-546700b3c6d4	
01a20f4e-f9ea-7cb2-b8e6-740d4a492ba9	1	01a20f4e-ea45-7000-8003-f2693f52dca0	FAILED	whk_20261124_01	2026-11-24 20:46:03.766+00	0	503	\N	down for maintenance\n	127.0.0.1:39075	f	0	send/353L2pjgdZsbTHmDevI4k	01a20f4e-f9e4-7af3-b896-546700b3c6d4	
01a20f4e-f9ef-70f2-81cf-cec376faf236	1	01a20f4e-ea45-7000-8003-f2693f52dca0	FAILED	whk_20261124_01	2026-11-24 20:46:03.766+00	1	503	\N	down for maintenance\n	127.0.0.1:39075	f	0	send/353L2pjgdZsbTHmDevI4k	01a20f4e-f9e4-7af3-b896-546700b3c6d4	
01a20f4e-fa05-799d-96b1-fa492aa7cb36	1	01a20f4e-ea6d-7000-8006-75857ff75240	SUCCEEDED	whk_20261124_01	2026-11-24 20:46:03.801+00	0	204	\N		127.0.0.1:39075	f	0	send/353L2pjgdZsbTHmDevI4k	01a20f4e-f9e4-7af3-b896-546700b3c6d4	
01a20f4e-fa70-7996-92ff-bdd842aa98e4	1	01a20f4e-ea6d-7000-8006-75857ff75240	SUCCEEDED	whk_20261124_01	2026-11-24 20:46:03.9+00	2	204	\N		127.0.0.1:39075	f	0	send/353L2pjgdZsbTHmDevI4k	01a20f4e-f9e4-7af3-b896-546700b3c6d4	
01a20f4e-fab0-7b99-a0c5-0d59a524c66e	1	01a20f4e-ea5a-7000-8004-783945c1ecba	SUCCEEDED	whk_20261124_01	2026-11-24 20:46:04.224+00	0	204	\N		127.0.0.1:39075	f	1	send/353L2pjgdZsbTHmDevI4k	01a20f4e-f9e4-7af3-b896-546700b3c6d4	6
01a20f4e-fbec-76ee-83ef-580da8388551	1	01a20f4e-ea6d-7000-8006-75857ff75240	SUCCEEDED	whk_20261124_01	2026-11-24 20:46:04.305+00	4	204	\N		127.0.0.1:39075	f	0	send/353L2pjgdZsbTHmDevI4k	01a20f4e-f9e4-7af3-b896-546700b3c6d4	6
01a20f4e-fc77-7152-8f2f-47a10af8ce3d	1	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	SUCCEEDED	whk_20261124_02	2026-11-24 20:46:04.421+00	0	204	\N		127.0.0.1:39075	f	0	send/353L2pjgdZsbTHmDevI4k	01a20f4e-f9e4-7af3-b896-546700b3c6d4	6
\.

COPY webhook_delivery (id, account_id, event_id, endpoint_id, of_notice, replay, state, attempt_count, round_attempts, next_attempt_at, asked_at, last_error, created_at, updated_at) FROM stdin;
01a20f4e-ea81-7b4a-9ace-81f553becd91	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ea81-7b61-9b34-d00a1a096fa9	01a20f4e-ea6d-7000-8006-75857ff75240	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 20:45:59.808+00	2026-11-24 20:45:59.928+00
01a20f4e-eaef-7141-ab9f-57dbec0dfeae	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-eae5-7000-8011-b051f0d723d1	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 20:45:59.909+00	2026-11-24 20:45:59.974+00
01a20f4e-eaef-7143-8f6c-13816a84c112	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-eae5-7000-8011-b051f0d723d1	01a20f4e-ea68-7000-8005-c718bc4d7d45	f	f	CANCELED	1	1	\N	\N	HTTP 503	2026-11-24 20:45:59.909+00	2026-11-24 20:46:04.26+00
01a20f4e-eaef-7165-a306-87de5095f306	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-eae5-7000-8012-30fa64010807	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 20:45:59.909+00	2026-11-24 20:45:59.974+00
01a20f4e-eaef-7166-b1de-dd98092895c9	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-eae5-7000-8012-30fa64010807	01a20f4e-ea5a-7000-8004-783945c1ecba	f	f	DELIVERED	2	2	\N	\N	\N	2026-11-24 20:45:59.909+00	2026-11-24 20:46:03.963+00
01a20f4e-eb66-7bc9-8ebe-4796ee13bf17	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-eb66-7000-8013-823e6ee5136b	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 20:46:00.038+00	2026-11-24 20:46:00.058+00
01a20f4e-ebb3-755c-9a71-5fa8a4d6eb07	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ebb3-7000-801c-dd8483273eda	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 20:46:00.115+00	2026-11-24 20:46:00.141+00
01a20f4e-ebe5-77c4-ad52-38711bcb2b2c	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ebe0-7000-801d-a0442e0100f4	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 20:46:00.16+00	2026-11-24 20:46:00.172+00
01a20f4e-ebfc-7860-a2b2-929673565553	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ebfb-7000-801e-a29499455cfe	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 20:46:00.187+00	2026-11-24 20:46:00.203+00
01a20f4e-ec12-7005-b393-f8da6de94a9b	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ec10-7000-801f-2fcee536f8bf	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 20:46:00.208+00	2026-11-24 20:46:00.298+00
01a20f4e-ec25-7d4b-ad98-c1906e9379a8	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ec24-7000-8020-41e2e88c5015	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 20:46:00.228+00	2026-11-24 20:46:00.312+00
01a20f4e-ec5b-7d83-821e-55352f26c977	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ec5b-7000-8021-eb9b266efe30	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 20:46:00.283+00	2026-11-24 20:46:00.385+00
01a20f4e-ecb1-77af-abd3-c187e8845e8e	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ecb1-7000-8022-3b00ace8469a	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 20:46:00.369+00	2026-11-24 20:46:00.411+00
01a20f4e-ecc5-7bc9-8473-60c3594eb820	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ecc5-7000-8024-79c3ce03b8a4	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 20:46:00.389+00	2026-11-24 20:46:00.402+00
01a20f4e-ecc5-7bca-9bcf-9cafa32c568e	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ecc5-7000-8024-79c3ce03b8a4	01a20f4e-ea68-7000-8005-c718bc4d7d45	f	f	CANCELED	1	1	\N	\N	HTTP 503	2026-11-24 20:46:00.389+00	2026-11-24 20:46:04.26+00
01a20f4e-ecd2-781b-823e-d93cefacbd7f	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ecd0-7000-8026-f602204c4258	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 20:46:00.4+00	2026-11-24 20:46:00.426+00
01a20f4e-ecd2-781d-9e55-cab9afa18611	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ecd0-7000-8026-f602204c4258	01a20f4e-ea68-7000-8005-c718bc4d7d45	f	f	CANCELED	1	1	\N	\N	HTTP 503	2026-11-24 20:46:00.4+00	2026-11-24 20:46:04.26+00
01a20f4e-ecd2-7838-bdc7-cb397f02d3f4	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ecd0-7000-8027-4eecdab9743c	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 20:46:00.4+00	2026-11-24 20:46:00.445+00
01a20f4e-ecd2-7839-a30c-09343ad4266d	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ecd0-7000-8027-4eecdab9743c	01a20f4e-ea5a-7000-8004-783945c1ecba	f	f	DELIVERED	2	2	\N	\N	\N	2026-11-24 20:46:00.4+00	2026-11-24 20:46:03.963+00
01a20f4e-ecda-73c4-990c-cf5acd010e44	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ecd9-7000-8029-f378429f0539	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 20:46:00.409+00	2026-11-24 20:46:00.445+00
01a20f4e-ecda-73c5-a8f8-43c4a504fcb9	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ecd9-7000-8029-f378429f0539	01a20f4e-ea68-7000-8005-c718bc4d7d45	f	f	CANCELED	1	1	\N	\N	HTTP 503	2026-11-24 20:46:00.409+00	2026-11-24 20:46:04.26+00
01a20f4e-ecda-73db-b1fc-ca58139a5e07	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ecd9-7000-802a-02eab296b4a4	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 20:46:00.409+00	2026-11-24 20:46:00.445+00
01a20f4e-ecda-73dc-b7a3-e2d04df2e4bd	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ecd9-7000-802a-02eab296b4a4	01a20f4e-ea5a-7000-8004-783945c1ecba	f	f	DELIVERED	2	2	\N	\N	\N	2026-11-24 20:46:00.409+00	2026-11-24 20:46:03.963+00
01a20f4e-ecfb-7c02-91d9-cffd03ceb1ce	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ecfb-7000-802b-d27a50503527	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 20:46:00.443+00	2026-11-24 20:46:00.455+00
01a20f4e-ed19-719e-8f56-9752277e4c5a	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ed19-7000-8033-4f4bee972ff8	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 20:46:00.473+00	2026-11-24 20:46:00.488+00
01a20f4e-ed24-715f-beda-8343424e298d	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ed23-7000-8034-8bcf1d4ed192	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	f	t	DELIVERED	2	1	\N	\N	\N	2026-11-24 20:46:00.483+00	2026-11-24 20:46:04.933+00
01a20f4e-ed24-7161-bd16-abfcc9687226	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ed23-7000-8034-8bcf1d4ed192	01a20f4e-ea45-7000-8003-f2693f52dca0	f	f	RETRYING	1	1	2026-11-24 20:46:15.507+00	\N	HTTP 503	2026-11-24 20:46:00.483+00	2026-11-24 20:46:00.507+00
01a20f4e-ed24-7162-8218-fe7656dc0350	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ed23-7000-8034-8bcf1d4ed192	01a20f4e-ea5a-7000-8004-783945c1ecba	f	f	DELIVERED	2	2	\N	\N	\N	2026-11-24 20:46:00.483+00	2026-11-24 20:46:03.963+00
01a20f4e-ed24-7163-96b2-dc2c02bce1d1	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ed23-7000-8034-8bcf1d4ed192	01a20f4e-ea72-7000-8007-3ac4e3190603	f	f	HELD	0	0	\N	\N	\N	2026-11-24 20:46:00.483+00	2026-11-24 20:46:00.485+00
01a20f4e-ed67-726f-b703-0e001a666dd5	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ed66-7000-8037-d76e5bea3bfa	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 20:46:00.55+00	2026-11-24 20:46:00.567+00
01a20f4e-ed67-7270-a905-4687112512b0	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ed66-7000-8037-d76e5bea3bfa	01a20f4e-ea68-7000-8005-c718bc4d7d45	f	f	CANCELED	1	1	\N	\N	HTTP 503	2026-11-24 20:46:00.55+00	2026-11-24 20:46:04.26+00
01a20f4e-ed67-729a-b7d2-eddef0c912cb	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ed66-7000-8038-9ee9cfdb3d9b	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 20:46:00.55+00	2026-11-24 20:46:00.57+00
01a20f4e-ed67-729b-94b6-7b01c0b8947b	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ed66-7000-8038-9ee9cfdb3d9b	01a20f4e-ea5a-7000-8004-783945c1ecba	f	f	DELIVERED	2	2	\N	\N	\N	2026-11-24 20:46:00.55+00	2026-11-24 20:46:03.956+00
01a20f4e-ed8e-7de0-8d5f-a74757f216ba	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ed8e-7df5-8b6d-409adb0547ea	01a20f4e-ea6d-7000-8006-75857ff75240	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 20:46:00.59+00	2026-11-24 20:46:00.639+00
01a20f4e-ed8e-7e04-a2c0-0be25bd23263	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ed8e-7e18-8b22-b25626e8691b	01a20f4e-ea6d-7000-8006-75857ff75240	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 20:46:00.59+00	2026-11-24 20:46:00.641+00
01a20f4e-f99e-751c-8517-0cd39d13409a	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-f99c-7000-8039-67b488c8503e	01a20f4e-ea5a-7000-8004-783945c1ecba	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 20:46:03.676+00	2026-11-24 20:46:03.907+00
01a20f4e-f9a4-7c70-9ba8-5cf74bbaef44	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-f9a0-7000-803a-00a115415102	01a20f4e-ea5a-7000-8004-783945c1ecba	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 20:46:03.68+00	2026-11-24 20:46:03.888+00
01a20f4e-f9b4-7591-a81b-c4d013cf816e	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-f9b3-7000-803b-2aec016009a4	01a20f4e-ea5a-7000-8004-783945c1ecba	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 20:46:03.699+00	2026-11-24 20:46:03.907+00
01a20f4e-f9c4-7aa7-a7d6-6b7310f339df	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-f9c2-7000-803c-a21902f13ff3	01a20f4e-ea5a-7000-8004-783945c1ecba	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 20:46:03.714+00	2026-11-24 20:46:03.907+00
01a20f4e-f9d0-72be-8238-3a9e85d4c3fd	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-f9cf-7000-803d-06af750e3a22	01a20f4e-ea5a-7000-8004-783945c1ecba	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 20:46:03.727+00	2026-11-24 20:46:03.907+00
01a20f4e-f9db-7ad5-967c-0bdd8d38b0ac	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-f9db-7000-803e-e3333e9c93d0	01a20f4e-ea45-7000-8003-f2693f52dca0	f	f	RETRYING	1	1	2026-11-24 20:46:18.781+00	\N	HTTP 503	2026-11-24 20:46:03.739+00	2026-11-24 20:46:03.781+00
01a20f4e-f9e0-7b1c-85f4-eaa57f4a22fc	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-f9e0-7000-803f-90c2b102882d	01a20f4e-ea45-7000-8003-f2693f52dca0	f	f	RETRYING	1	1	2026-11-24 20:46:18.781+00	\N	HTTP 503	2026-11-24 20:46:03.744+00	2026-11-24 20:46:03.781+00
01a20f4e-f9e5-78ee-85cc-b4d6ad28e21d	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-f9e4-7000-8040-678c161dd438	01a20f4e-ea45-7000-8003-f2693f52dca0	f	f	RETRYING	1	1	2026-11-24 20:46:18.781+00	\N	HTTP 503	2026-11-24 20:46:03.748+00	2026-11-24 20:46:03.781+00
01a20f4e-f9ea-7cb2-b8e6-740d4a492ba9	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-f9ea-7000-8041-1d53450d4c07	01a20f4e-ea45-7000-8003-f2693f52dca0	f	f	RETRYING	1	1	2026-11-24 20:46:18.781+00	\N	HTTP 503	2026-11-24 20:46:03.754+00	2026-11-24 20:46:03.781+00
01a20f4e-f9ef-70f2-81cf-cec376faf236	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-f9ee-7000-8042-d5aac5904bb0	01a20f4e-ea45-7000-8003-f2693f52dca0	f	f	RETRYING	1	0	2026-11-24 20:46:05.082+00	2026-11-24 20:46:05.082+00	HTTP 503	2026-11-24 20:46:03.758+00	2026-11-24 20:46:05.082+00
01a20f4e-fa05-799d-96b1-fa492aa7cb36	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-fa05-79b9-a2f9-f037b5256372	01a20f4e-ea6d-7000-8006-75857ff75240	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 20:46:03.781+00	2026-11-24 20:46:03.806+00
01a20f4e-fa70-7996-92ff-bdd842aa98e4	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-fa70-79aa-b397-e3dfe3d1be1c	01a20f4e-ea6d-7000-8006-75857ff75240	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 20:46:03.888+00	2026-11-24 20:46:03.906+00
01a20f4e-fab0-7b99-a0c5-0d59a524c66e	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-fab0-7000-8043-f9be5df6ec06	01a20f4e-ea5a-7000-8004-783945c1ecba	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 20:46:03.952+00	2026-11-24 20:46:04.238+00
01a20f4e-fbde-7d05-a3ad-f8dae1869844	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-fbde-7000-8044-01f5362ab873	01a20f4e-ea45-7000-8003-f2693f52dca0	f	f	FAILED	0	0	\N	\N	given up with webhook.delivery.cancel	2026-11-24 20:46:04.254+00	2026-11-24 20:46:04.268+00
01a20f4e-fbec-76ee-83ef-580da8388551	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-fbec-7702-9c4a-cfd2c68a0709	01a20f4e-ea6d-7000-8006-75857ff75240	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 20:46:04.262+00	2026-11-24 20:46:04.324+00
01a20f4e-fc77-7152-8f2f-47a10af8ce3d	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-fc75-7000-8045-b80a203bf667	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 20:46:04.405+00	2026-11-24 20:46:04.426+00
01a20f4e-ff2a-7e80-9915-91e277eb037d	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ff29-7000-8048-f01842ef5901	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	f	f	PENDING	0	0	2026-11-24 20:46:05.099+00	\N	\N	2026-11-24 20:46:05.097+00	2026-11-24 20:46:05.099+00
01a20f4e-ff2a-7e9b-b293-c16f147f0f6f	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ff29-7000-8049-c8c176d145d3	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	f	f	PENDING	0	0	2026-11-24 20:46:05.1+00	\N	\N	2026-11-24 20:46:05.097+00	2026-11-24 20:46:05.1+00
01a20f4e-ff2a-7e9c-a60a-81ab1f674f74	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ff29-7000-8049-c8c176d145d3	01a20f4e-ea5a-7000-8004-783945c1ecba	f	f	PENDING	0	0	2026-11-24 20:46:05.1+00	\N	\N	2026-11-24 20:46:05.097+00	2026-11-24 20:46:05.1+00
01a20f4e-ff58-718f-8f60-c2e7017185f3	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ff35-7000-804a-b9c84ead7d0e	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	f	f	PENDING	0	0	2026-11-24 20:46:05.145+00	\N	\N	2026-11-24 20:46:05.109+00	2026-11-24 20:46:05.145+00
01a20f4e-ff58-7190-a17f-d6ca999c3f9b	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ff35-7000-804a-b9c84ead7d0e	01a20f4e-ea45-7000-8003-f2693f52dca0	f	f	PENDING	0	0	2026-11-24 20:46:05.145+00	\N	\N	2026-11-24 20:46:05.109+00	2026-11-24 20:46:05.145+00
01a20f4e-ff58-7191-9df2-c39054b315a3	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ff35-7000-804a-b9c84ead7d0e	01a20f4e-ea5a-7000-8004-783945c1ecba	f	f	PENDING	0	0	2026-11-24 20:46:05.145+00	\N	\N	2026-11-24 20:46:05.109+00	2026-11-24 20:46:05.145+00
01a20f4e-ff58-7192-a598-fab4dd22045c	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ff35-7000-804a-b9c84ead7d0e	01a20f4e-ea72-7000-8007-3ac4e3190603	f	f	HELD	0	0	\N	\N	\N	2026-11-24 20:46:05.109+00	2026-11-24 20:46:05.145+00
\.

COPY webhook_endpoint (id, account_id, url, url_key, event_types, description, rate_per_second, concurrency, status, disabled_reason, slot, created_at, updated_at, deleted_at, settle_at) FROM stdin;
01a20f4e-e9f9-7000-8002-f1d8ba150ac6	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	http://127.0.0.1:39075/well	http://127.0.0.1:39075/well	\N	all events	500	5	ACTIVE	\N	1	2026-11-24 20:45:59.673+00	2026-11-24 20:45:59.673+00	\N	\N
01a20f4e-ea45-7000-8003-f2693f52dca0	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	http://127.0.0.1:39075/broken	http://127.0.0.1:39075/broken	{WORKFLOW_COMPLETED}	\N	\N	\N	ACTIVE	\N	2	2026-11-24 20:45:59.749+00	2026-11-24 20:45:59.749+00	\N	\N
01a20f4e-ea5a-7000-8004-783945c1ecba	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	http://127.0.0.1:39075/recovered	http://127.0.0.1:39075/recovered	{WORKFLOW_COMPLETED,WORKFLOW_STARTED}	\N	\N	\N	ACTIVE	\N	3	2026-11-24 20:45:59.77+00	2026-11-24 20:45:59.77+00	\N	\N
01a20f4e-ea68-7000-8005-c718bc4d7d45	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	http://127.0.0.1:39075/given-up	http://127.0.0.1:39075/given-up	{WORKFLOW_CREATED}	\N	\N	\N	ACTIVE	\N	\N	2026-11-24 20:45:59.784+00	2026-11-24 20:46:04.249+00	2026-11-24 20:46:04.249+00	\N
01a20f4e-ea6d-7000-8006-75857ff75240	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	http://127.0.0.1:39075/notices	http://127.0.0.1:39075/notices	{WEBHOOK_ENDPOINT_FAILING,WEBHOOK_ENDPOINT_DISABLED,WEBHOOK_ENDPOINT_RECOVERED,WEBHOOK_DELIVERY_FAILED}	\N	\N	\N	ACTIVE	\N	5	2026-11-24 20:45:59.789+00	2026-11-24 20:45:59.789+00	\N	\N
01a20f4e-ea72-7000-8007-3ac4e3190603	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	http://127.0.0.1:39075/disabled	http://127.0.0.1:39075/disabled	{WORKFLOW_COMPLETED}	\N	\N	\N	DISABLED	Disabled with webhook.config.update.	6	2026-11-24 20:45:59.794+00	2026-11-24 20:45:59.808+00	\N	\N
\.

COPY webhook_endpoint_health (endpoint_id, failures, failing_since, last_error, probe_at, probes, retry_after, recovered_at, epoch, successes_from, slow, told, told_since, opens_at, looks_at, wake_at, wake_lease) FROM stdin;
01a20f4e-e9f9-7000-8002-f1d8ba150ac6	0	\N	\N	\N	0	\N	\N	0	0	f	\N	\N	2026-11-24 20:46:04.809536+00	\N	\N	\N
01a20f4e-ea45-7000-8003-f2693f52dca0	6	2026-11-24 20:46:00.501+00	HTTP 503	2026-11-24 20:46:09.767326+00	0	2026-11-24 20:46:18.781+00	\N	0	0	f	WEBHOOK_ENDPOINT_FAILING	2026-11-24 20:46:00.501+00	\N	2026-11-24 20:46:15.507+00	2026-11-23 20:46:05.082+00	\N
01a20f4e-ea5a-7000-8004-783945c1ecba	0	\N	\N	\N	0	\N	2026-11-24 20:46:03.83+00	1	0	f	\N	\N	\N	\N	\N	\N
01a20f4e-ea68-7000-8005-c718bc4d7d45	5	2026-11-24 20:45:59.951+00	HTTP 503	2026-11-24 20:46:05.564351+00	0	2026-11-24 20:46:15.59+00	\N	1	1	f	WEBHOOK_ENDPOINT_FAILING	2026-11-24 20:45:59.951+00	\N	2026-11-24 20:46:14.99+00	\N	\N
01a20f4e-ea6d-7000-8006-75857ff75240	0	\N	\N	\N	0	\N	\N	0	0	f	\N	\N	\N	\N	\N	\N
01a20f4e-ea72-7000-8007-3ac4e3190603	0	\N	\N	\N	0	\N	\N	1	1	f	WEBHOOK_ENDPOINT_DISABLED	2026-11-24 20:45:59.808+00	\N	\N	\N	\N
\.

COPY webhook_event (id, account_id, event_type, occurred_at, workflow_id, sequence, user_id, user_type, fields, test, epoch, xid, traceparent) FROM stdin;
01a20f4e-e9d5-7000-8001-7912549c8358	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WEBHOOK_KEY_ACTIVATED	2026-11-24 20:45:59.637+00	\N	0	back office	API_KEY	{"key_id": "whk_20261124_01"}	f	1	766	00-c19e6f711278826345a8408268df4237-e5c0854cc9cea539-00
01a20f4e-ea81-7b61-9b34-d00a1a096fa9	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WEBHOOK_ENDPOINT_DISABLED	2026-11-24 20:45:59.808+00	\N	0	back office	API_KEY	{"since": "2026-11-24T20:45:59.808Z", "waiting": 0, "url_host": "127.0.0.1:39075", "config_id": "whc_353L2jWjYNQcIdfsD2aqR", "last_error": null, "disabled_reason": "Disabled with webhook.config.update."}	f	1	781	00-a579736ba6870c3aace664428aeb8131-28fedf15acce686f-00
01a20f4e-eae5-7000-8011-b051f0d723d1	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WORKFLOW_CREATED	2026-11-24 20:45:59.909+00	01a20f4e-eae5-7000-8010-64a8bfd70037	1	back office	API_KEY	{"state": "CREATED"}	f	1	799	00-fa88665b6d14c1ec75b767fd527c73ea-a7b49250546dda96-00
01a20f4e-eae5-7000-8012-30fa64010807	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WORKFLOW_STARTED	2026-11-24 20:45:59.909+00	01a20f4e-eae5-7000-8010-64a8bfd70037	2	back office	API_KEY	{"state": "STARTED"}	f	1	799	00-fa88665b6d14c1ec75b767fd527c73ea-a7b49250546dda96-00
01a20f4e-eb66-7000-8013-823e6ee5136b	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WORKFLOW_PRICING_CALCULATED	2026-11-24 20:46:00.038+00	01a20f4e-eae5-7000-8010-64a8bfd70037	3	back office	API_KEY	{"evaluation_score": 600.375}	f	1	811	00-8fe1f25862b7eda31d3882955e9964fc-9be7d7769825fb63-00
01a20f4e-ebb3-7000-801c-dd8483273eda	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	REQUIRED_DOCUMENTS_CALCULATED	2026-11-24 20:46:00.115+00	01a20f4e-eae5-7000-8010-64a8bfd70037	4	back office	API_KEY	{"kept": [], "added": [{"status": "PENDING", "entity_id": "b_353L2jdYcKAIhBh1wWu8q", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_353L2k21bQB8daNaHrtun"}, {"status": "PENDING", "entity_id": "b_353L2jdYcKAIhBh1wWu8q", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_353L2k21bQB8dg60Givep"}, {"status": "PENDING", "entity_id": "b_353L2jdYcKAIhBh1wWu8q", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_353L2k21bQB8fpBS7Mnbe"}, {"status": "PENDING", "entity_id": "b_353L2jdYcKAIhBh1wWu8q", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_353L2k21bQB8hUix9sAmI"}, {"status": "PENDING", "entity_id": "w_353L2jhwaQvNtlG7gUZ9j", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_353L2k21bQB8hnbqTNppz"}, {"status": "PENDING", "entity_id": "b_353L2jdYcKAIhBh1wWu8q", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_353L2k21bQB8jazFMrLOL"}, {"status": "PENDING", "entity_id": "p_353L2jdYcKAIirgZPI0o0", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353L2k21bQB8kJJCv2T0y"}, {"status": "PENDING", "entity_id": "p_353L2jdYcKAIkRIJBQn4n", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353L2k21bQB8lRhgQZCzE"}], "removed": [], "restored": []}	f	1	819	00-31a839863ad7084ed494d5ef5c6925bf-0c410e281a6ed1b3-00
01a20f4e-ebe0-7000-801d-a0442e0100f4	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	REQUIRED_DOCUMENT_UPDATED	2026-11-24 20:46:00.16+00	01a20f4e-eae5-7000-8010-64a8bfd70037	5	back office	API_KEY	{"status": "NEEDS_REVIEW", "previous_status": "PENDING", "document_type_code": "REGISTRATION", "required_document_id": "rd_353L2k21bQB8daNaHrtun"}	f	1	826	00-4f4c7f520f14907860128d00b6635f31-e74596bddb905d8d-00
01a20f4e-ebfb-7000-801e-a29499455cfe	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	REQUIRED_DOCUMENT_UPDATED	2026-11-24 20:46:00.187+00	01a20f4e-eae5-7000-8010-64a8bfd70037	6	back office	API_KEY	{"status": "NEEDS_REVIEW", "previous_status": "PENDING", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_353L2k21bQB8dg60Givep"}	f	1	831	00-87558451c80084d9b618bfa395d1b92c-49aa3111ce737e7c-00
01a20f4e-ec10-7000-801f-2fcee536f8bf	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	REQUIRED_DOCUMENT_UPDATED	2026-11-24 20:46:00.208+00	01a20f4e-eae5-7000-8010-64a8bfd70037	7	back office	API_KEY	{"status": "COMPLETED", "previous_status": "NEEDS_REVIEW", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_353L2k21bQB8dg60Givep"}	f	1	836	00-1f666eb89db3794371ec9b7ea13f28c7-8b612728042161c4-00
01a20f4e-ec24-7000-8020-41e2e88c5015	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	REQUIRED_DOCUMENT_UPDATED	2026-11-24 20:46:00.228+00	01a20f4e-eae5-7000-8010-64a8bfd70037	8	back office	API_KEY	{"status": "NEEDS_REVIEW", "previous_status": "PENDING", "document_type_code": "PASSPORT", "required_document_id": "rd_353L2k21bQB8lRhgQZCzE"}	f	1	839	00-63062175f7486e5e5d6bab54c2ba527d-37ab72c83961ad42-00
01a20f4e-ec5b-7000-8021-eb9b266efe30	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WORKFLOW_PRICING_CALCULATED	2026-11-24 20:46:00.283+00	01a20f4e-eae5-7000-8010-64a8bfd70037	9	back office	API_KEY	{"evaluation_score": 600.375}	f	1	845	00-4b945c3737bf21e95cc26e2bb32aa26d-a2f7d2d517f39481-00
01a20f4e-ecb1-7000-8022-3b00ace8469a	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	REQUIRED_DOCUMENTS_CALCULATED	2026-11-24 20:46:00.369+00	01a20f4e-eae5-7000-8010-64a8bfd70037	10	back office	API_KEY	{"kept": [{"status": "NEEDS_REVIEW", "entity_id": "b_353L2jdYcKAIhBh1wWu8q", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_353L2k21bQB8daNaHrtun"}, {"status": "COMPLETED", "entity_id": "b_353L2jdYcKAIhBh1wWu8q", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_353L2k21bQB8dg60Givep"}, {"status": "PENDING", "entity_id": "b_353L2jdYcKAIhBh1wWu8q", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_353L2k21bQB8fpBS7Mnbe"}, {"status": "PENDING", "entity_id": "b_353L2jdYcKAIhBh1wWu8q", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_353L2k21bQB8hUix9sAmI"}, {"status": "PENDING", "entity_id": "w_353L2jhwaQvNtlG7gUZ9j", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_353L2k21bQB8hnbqTNppz"}, {"status": "PENDING", "entity_id": "b_353L2jdYcKAIhBh1wWu8q", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_353L2k21bQB8jazFMrLOL"}, {"status": "PENDING", "entity_id": "p_353L2jdYcKAIirgZPI0o0", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353L2k21bQB8kJJCv2T0y"}], "added": [], "removed": [{"status": "INACTIVE", "entity_id": "p_353L2jdYcKAIkRIJBQn4n", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353L2k21bQB8lRhgQZCzE"}], "restored": []}	f	1	853	00-ba751e31b39efeb01df2f08869451bb0-c4fce155151e296a-00
01a20f4e-ecc5-7000-8024-79c3ce03b8a4	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WORKFLOW_CREATED	2026-11-24 20:46:00.389+00	01a20f4e-ecc5-7000-8023-e2fa7cab85b3	1	back office	API_KEY	{"state": "CREATED"}	f	1	858	00-1ca925dcc7bb56b9bacff5406d60a408-32ef8329a68492a9-00
01a20f4e-ecd0-7000-8026-f602204c4258	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WORKFLOW_CREATED	2026-11-24 20:46:00.4+00	01a20f4e-ecd0-7000-8025-250b4a400728	1	back office	API_KEY	{"state": "CREATED"}	f	1	862	00-430c1fb1c44a65edeca4e7884511a2d7-c78edec13b782c7d-00
01a20f4e-ecd0-7000-8027-4eecdab9743c	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WORKFLOW_STARTED	2026-11-24 20:46:00.4+00	01a20f4e-ecd0-7000-8025-250b4a400728	2	back office	API_KEY	{"state": "STARTED"}	f	1	862	00-430c1fb1c44a65edeca4e7884511a2d7-c78edec13b782c7d-00
01a20f4e-ecd9-7000-8029-f378429f0539	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WORKFLOW_CREATED	2026-11-24 20:46:00.409+00	01a20f4e-ecd9-7000-8028-a26b0666428f	1	back office	API_KEY	{"state": "CREATED"}	f	1	866	00-876bec4299b4d09286137f352ceb3fa6-bab686ff4793e868-00
01a20f4e-ecd9-7000-802a-02eab296b4a4	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WORKFLOW_STARTED	2026-11-24 20:46:00.409+00	01a20f4e-ecd9-7000-8028-a26b0666428f	2	back office	API_KEY	{"state": "STARTED"}	f	1	866	00-876bec4299b4d09286137f352ceb3fa6-bab686ff4793e868-00
01a20f4e-ecfb-7000-802b-d27a50503527	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WORKFLOW_PRICING_CALCULATED	2026-11-24 20:46:00.443+00	01a20f4e-ecd9-7000-8028-a26b0666428f	3	back office	API_KEY	{"evaluation_score": 600.375}	f	1	877	00-1b1d9d86f4647bb6f9ac0b5ed15126c9-86d3b1200ce73c00-00
01a20f4e-ed19-7000-8033-4f4bee972ff8	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	REQUIRED_DOCUMENTS_CALCULATED	2026-11-24 20:46:00.473+00	01a20f4e-ecd9-7000-8028-a26b0666428f	4	back office	API_KEY	{"kept": [], "added": [{"status": "PENDING", "entity_id": "b_353L2jdYcKAIhBh1wWu8q", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_353L2kavGrm9X3WHahQBk"}, {"status": "PENDING", "entity_id": "b_353L2jdYcKAIhBh1wWu8q", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_353L2kavGrm9Yflc0itUv"}, {"status": "PENDING", "entity_id": "b_353L2jdYcKAIhBh1wWu8q", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_353L2kavGrm9ZSxhhNb47"}, {"status": "PENDING", "entity_id": "b_353L2jdYcKAIhBh1wWu8q", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_353L2kavGrm9aPd6TcEdr"}, {"status": "PENDING", "entity_id": "w_353L2kUgTCTPeheuAFq4V", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_353L2kavGrm9c3RIP9avg"}, {"status": "PENDING", "entity_id": "b_353L2jdYcKAIhBh1wWu8q", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_353L2kavGrm9cnDKkldxJ"}, {"status": "PENDING", "entity_id": "p_353L2jdYcKAIirgZPI0o0", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353L2kavGrm9eCOTWjWNo"}], "removed": [], "restored": []}	f	1	888	00-b38a328c61022313ec8a9541d32aed69-bbf0731ced2e9a2f-00
01a20f4e-ed23-7000-8034-8bcf1d4ed192	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WORKFLOW_COMPLETED	2026-11-24 20:46:00.483+00	01a20f4e-ecd9-7000-8028-a26b0666428f	5	back office	API_KEY	{"state": "ENDED"}	f	1	892	00-1cd501f590c3b8ad6372f6c4875470ab-812ac3526809b8f8-00
01a20f4e-ed66-7000-8037-d76e5bea3bfa	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WORKFLOW_CREATED	2026-11-24 20:46:00.55+00	01a20f4e-ed66-7000-8036-fe77281e1dce	1	back office	API_KEY	{"state": "CREATED"}	f	1	906	00-812c505283ac1cca74735e655b04e2dd-889c70442869a2aa-00
01a20f4e-ed66-7000-8038-9ee9cfdb3d9b	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WORKFLOW_STARTED	2026-11-24 20:46:00.55+00	01a20f4e-ed66-7000-8036-fe77281e1dce	2	back office	API_KEY	{"state": "STARTED"}	f	1	906	00-812c505283ac1cca74735e655b04e2dd-889c70442869a2aa-00
01a20f4e-ed8e-7df5-8b6d-409adb0547ea	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WEBHOOK_ENDPOINT_FAILING	2026-11-24 20:46:00.59+00	\N	0	SYSTEM	SYSTEM	{"since": "2026-11-24T20:45:59.951Z", "waiting": 5, "url_host": "127.0.0.1:39075", "config_id": "whc_353L2jVl7F2NMeZgOhBUj", "last_error": "HTTP 503"}	f	1	914	00-812c505283ac1cca74735e655b04e2dd-889c70442869a2aa-00
01a20f4e-ed8e-7e18-8b22-b25626e8691b	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WEBHOOK_ENDPOINT_FAILING	2026-11-24 20:46:00.59+00	\N	0	SYSTEM	SYSTEM	{"since": "2026-11-24T20:45:59.951Z", "waiting": 5, "url_host": "127.0.0.1:39075", "config_id": "whc_353L2jUOVFgq4PLE8l7py", "last_error": "the connection was closed before the whole answer had come"}	f	1	914	00-812c505283ac1cca74735e655b04e2dd-889c70442869a2aa-00
01a20f4e-f99c-7000-8039-67b488c8503e	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WEBHOOK_TEST	2026-11-24 20:46:03.676+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353L2jUOVFgq4PLE8l7py"}	t	1	931	00-f0f62bdb645a42ac7a8dc14b904ab34b-dc749441a5a72f1c-00
01a20f4e-f9a0-7000-803a-00a115415102	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WEBHOOK_TEST	2026-11-24 20:46:03.68+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353L2jUOVFgq4PLE8l7py"}	t	1	934	00-c0dd08bbe2ea61b4f4db495851b67f98-9da3366f42444f9c-00
01a20f4e-f9b3-7000-803b-2aec016009a4	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WEBHOOK_TEST	2026-11-24 20:46:03.699+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353L2jUOVFgq4PLE8l7py"}	t	1	937	00-5f5ad8dd5ce468825cd62bb03d6fcee0-733cde7d10501180-00
01a20f4e-f9c2-7000-803c-a21902f13ff3	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WEBHOOK_TEST	2026-11-24 20:46:03.714+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353L2jUOVFgq4PLE8l7py"}	t	1	940	00-926f5c0cd433cd3de6c338720d473e25-a7ae5f4665050d0d-00
01a20f4e-f9cf-7000-803d-06af750e3a22	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WEBHOOK_TEST	2026-11-24 20:46:03.727+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353L2jUOVFgq4PLE8l7py"}	t	1	943	00-46985c7d7934bacbe6b9d7d9acbe8548-5cd250cc529b485d-00
01a20f4e-f9db-7000-803e-e3333e9c93d0	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WEBHOOK_TEST	2026-11-24 20:46:03.739+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353L2jSLaGfX9tXj5p7uS"}	t	1	947	00-260e3197db95308238bb728b3a64f163-853d1337a58dc656-00
01a20f4e-f9e0-7000-803f-90c2b102882d	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WEBHOOK_TEST	2026-11-24 20:46:03.744+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353L2jSLaGfX9tXj5p7uS"}	t	1	950	00-582b97b9a5418c120e7b20da5232881c-950edc0efc38d088-00
01a20f4e-f9e4-7000-8040-678c161dd438	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WEBHOOK_TEST	2026-11-24 20:46:03.748+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353L2jSLaGfX9tXj5p7uS"}	t	1	953	00-a1bab5d1a4bc421776bbeb6f50d5e73e-ee6ff23e8aa93b94-00
01a20f4e-f9ea-7000-8041-1d53450d4c07	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WEBHOOK_TEST	2026-11-24 20:46:03.754+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353L2jSLaGfX9tXj5p7uS"}	t	1	956	00-399a3f49ed5ae214225df2b5f20e68bb-a0febd37a9bb1d37-00
01a20f4e-f9ee-7000-8042-d5aac5904bb0	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WEBHOOK_TEST	2026-11-24 20:46:03.758+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353L2jSLaGfX9tXj5p7uS"}	t	1	959	00-1d96aea9253ae5092bf07f98d751f8d4-dcdb0006b0be1a3e-00
01a20f4e-fa05-79b9-a2f9-f037b5256372	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WEBHOOK_ENDPOINT_FAILING	2026-11-24 20:46:03.781+00	\N	0	SYSTEM	SYSTEM	{"since": "2026-11-24T20:46:00.501Z", "waiting": 6, "url_host": "127.0.0.1:39075", "config_id": "whc_353L2jSLaGfX9tXj5p7uS", "last_error": "HTTP 503"}	f	1	966	00-399a3f49ed5ae214225df2b5f20e68bb-a0febd37a9bb1d37-00
01a20f4e-fa70-79aa-b397-e3dfe3d1be1c	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WEBHOOK_ENDPOINT_RECOVERED	2026-11-24 20:46:03.888+00	\N	0	SYSTEM	SYSTEM	{"since": "2026-11-24T20:45:59.951Z", "waiting": 9, "url_host": "127.0.0.1:39075", "config_id": "whc_353L2jUOVFgq4PLE8l7py", "last_error": null}	f	1	985	00-c0dd08bbe2ea61b4f4db495851b67f98-9da3366f42444f9c-00
01a20f4e-fab0-7000-8043-f9be5df6ec06	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WEBHOOK_TEST	2026-11-24 20:46:03.952+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353L2jUOVFgq4PLE8l7py"}	t	1	994	00-53bfa35da2ad7c663d6333bf9b3912c6-822b442a0fb930fa-00
01a20f4e-fbde-7000-8044-01f5362ab873	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WEBHOOK_TEST	2026-11-24 20:46:04.254+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353L2jSLaGfX9tXj5p7uS"}	t	1	1023	00-68f9d6d8be66c86920081ae3f6c89c13-dc058668c29fc95e-00
01a20f4e-fbec-7702-9c4a-cfd2c68a0709	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WEBHOOK_DELIVERY_FAILED	2026-11-24 20:46:04.262+00	\N	0	back office	API_KEY	{"event_id": "wh_353L2qXUkjnrDkxDRYCpf", "config_id": "whc_353L2jSLaGfX9tXj5p7uS", "last_error": "given up with webhook.delivery.cancel", "delivery_id": "whd_353L2qXV3nO2oKy34NtDQ", "attempt_count": 0}	f	1	1030	00-b7c63f0b013a186e86454bf9dfb5de8e-023d95aeb25060e9-00
01a20f4e-fc75-7000-8045-b80a203bf667	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WEBHOOK_KEY_ACTIVATED	2026-11-24 20:46:04.405+00	\N	0	back office	API_KEY	{"key_id": "whk_20261124_02"}	f	1	1044	00-74d9443fe0702afe90dbf9a8e1ff45c8-e262148f630064d6-00
01a20f4e-ff29-7000-8048-f01842ef5901	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WORKFLOW_CREATED	2026-11-24 20:46:05.097+00	01a20f4e-ff29-7000-8047-8df1a759266d	1	back office	API_KEY	{"state": "CREATED"}	f	1	1101	00-edf968e2a3b390db23101db0bc6a5aa5-c048a568d4a21d52-00
01a20f4e-ff29-7000-8049-c8c176d145d3	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WORKFLOW_STARTED	2026-11-24 20:46:05.097+00	01a20f4e-ff29-7000-8047-8df1a759266d	2	back office	API_KEY	{"state": "STARTED"}	f	1	1101	00-edf968e2a3b390db23101db0bc6a5aa5-c048a568d4a21d52-00
01a20f4e-ff35-7000-804a-b9c84ead7d0e	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	WORKFLOW_COMPLETED	2026-11-24 20:46:05.109+00	01a20f4e-ff29-7000-8047-8df1a759266d	3	back office	API_KEY	{"state": "ENDED"}	f	1	1104	00-2bc064e7f3fb90ce115c0e6bb47dbbdf-4668c09b6aa023d4-00
\.

COPY webhook_key (account_id, key_id, day, iteration, status, secret_sealed, created_at, revealed_at, activated_at, deleted_at) FROM stdin;
01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	whk_20261124_01	2026-11-24	1	DELETED	\\x013a2a9a87a871001207e5706dbe988ba2a7b1592bf22116e024cbcde82062cf2f68c11d0b496a1a79193dc73f6545a6d73479aba33b7fdea0b1cb29a730a6e118eb235527845e965a3c843ed5	2026-11-24 20:45:59.392+00	2026-11-24 20:45:59.506+00	2026-11-24 20:45:59.637+00	2026-11-24 20:46:04.405+00
01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	whk_20261124_02	2026-11-24	2	ACTIVE	\\x013a2a9a87fe4f6cde1094eb795aac0a72bcc9b9b170cffe803e9784d440522eeb88bf195cde9c058a5e80a81b8af7e7576ea4b612f5c3faa563d30d3a83d1d10204cb1230fb1853b8f96aece3	2026-11-24 20:46:04.321+00	2026-11-24 20:46:04.375+00	2026-11-24 20:46:04.405+00	\N
01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	whk_20261124_03	2026-11-24	3	INACTIVE	\\x013a2a9a87100144d37331f821dd1ea829d172a6ee3f161aeffaffe23065019d5d11ca8cd7e1aaea65f8d6a6aa41c4b539919d9ce359d1472cc1766c07438c85016e39f86463ad840879ac3ed1	2026-11-24 20:46:04.417+00	2026-11-24 20:46:04.442+00	\N	\N
\.

COPY webhook_key_day (account_id, day, n) FROM stdin;
01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	2026-11-24	3
\.

COPY webhook_ready (endpoint_id, account_id, closed, turn, paced_until) FROM stdin;
01a20f4e-e9f9-7000-8002-f1d8ba150ac6	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	f	-infinity	\N
01a20f4e-ea45-7000-8003-f2693f52dca0	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	t	2026-11-24 20:46:03.766+00	\N
01a20f4e-ea5a-7000-8004-783945c1ecba	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	f	-infinity	\N
01a20f4e-ea68-7000-8005-c718bc4d7d45	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	t	2026-11-24 20:46:00.557+00	\N
\.

COPY webhook_replay (id, account_id, endpoint_id, since, until, event_types, state, looked_at, counted, done, total, traceparent, started_at, ended_at, lease) FROM stdin;
01a20f4e-fc9f-7000-8046-12a4a3b21c50	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-e9f9-7000-8002-f1d8ba150ac6	2026-01-01 00:00:00+00	2026-11-24 20:46:04.448+00	{WORKFLOW_COMPLETED}	COMPLETED	01a20f4e-fc75-7000-8045-b80a203bf667	t	1	1	00-eedc2fbf5b0a89bd5ca4cc8aa3d6dd1c-8df70922a4d26575-00	2026-11-24 20:46:04.447+00	2026-11-24 20:46:04.771+00	2026-11-24 20:51:04.771+00
\.

COPY workflow (id, account_id, business_id, state, evaluation_score, score_calculated_at, score_facts, version, documents_calculated_at, documents_workflow_version, documents_business_version, documents_rule_set_id, event_sequence, created_at, started_at, ended_at, updated_at) FROM stdin;
01a20f4e-eae5-7000-8010-64a8bfd70037	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-eab8-7000-800a-23d3070825c4	STARTED	600.375000	2026-11-24 20:46:00.283+00	5fd96d35b1acc8dab64f61f2801fd3ddd246b6db64d19b4b0322b66af6489a21	3	2026-11-24 20:46:00.369+00	3	2	01a20f4e-eaa2-7000-8009-77baf8939ca9	10	2026-11-24 20:45:59.909+00	2026-11-24 20:45:59.909+00	\N	2026-11-24 20:46:00.283+00
01a20f4e-ecc5-7000-8023-e2fa7cab85b3	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-eab8-7000-800a-23d3070825c4	CREATED	\N	\N	\N	1	\N	\N	\N	\N	1	2026-11-24 20:46:00.389+00	\N	\N	2026-11-24 20:46:00.389+00
01a20f4e-ecd0-7000-8025-250b4a400728	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-eacd-7000-800e-e82c2a03bb74	STARTED	\N	\N	\N	1	\N	\N	\N	\N	2	2026-11-24 20:46:00.4+00	2026-11-24 20:46:00.4+00	\N	2026-11-24 20:46:00.4+00
01a20f4e-ecd9-7000-8028-a26b0666428f	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-eab8-7000-800a-23d3070825c4	ENDED	600.375000	2026-11-24 20:46:00.443+00	5fd96d35b1acc8dab64f61f2801fd3ddd246b6db64d19b4b0322b66af6489a21	2	2026-11-24 20:46:00.473+00	2	2	01a20f4e-eaa2-7000-8009-77baf8939ca9	5	2026-11-24 20:46:00.409+00	2026-11-24 20:46:00.409+00	2026-11-24 20:46:00.483+00	2026-11-24 20:46:00.483+00
01a20f4e-ed66-7000-8036-fe77281e1dce	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ed54-7000-8035-b83d0cdd6ae0	STARTED	\N	\N	\N	2	\N	\N	\N	\N	2	2026-11-24 20:46:00.55+00	2026-11-24 20:46:00.55+00	\N	2026-11-24 20:46:00.55+00
01a20f4e-ff29-7000-8047-8df1a759266d	01a20f4e-e6a0-7d73-b842-c7fb8a68d8c6	01a20f4e-ead5-7000-800f-64f6f99a474d	ENDED	\N	\N	\N	1	\N	\N	\N	\N	3	2026-11-24 20:46:05.097+00	2026-11-24 20:46:05.097+00	2026-11-24 20:46:05.109+00	2026-11-24 20:46:05.109+00
\.

